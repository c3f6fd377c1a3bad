import type { PermissionMode } from '@chirality/contracts';
import { ChevronDown, ShieldQuestion } from 'lucide-react';
import { Menu, MenuChoice, MenuLabel } from '../../../components/overlay/menu';
import { PERMISSION_MODE_NAMES } from '../../options/option-names';

const CHOICES: { mode: PermissionMode | null; name: string }[] = [
  { mode: null, name: 'Session default' },
  ...(['default', 'acceptEdits', 'plan'] as const).map((mode) => ({ mode, name: PERMISSION_MODE_NAMES[mode] })),
];

/** How this person's messages ask from now on; the session's own option when nothing is chosen. */
export function ModeSelect({
  mode,
  onMode,
  disabled,
}: {
  mode: PermissionMode | null;
  onMode: (mode: PermissionMode | null) => void;
  disabled: boolean;
}) {
  const chosen = CHOICES.find((choice) => choice.mode === mode) ?? CHOICES[0]!;
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          disabled={disabled}
          aria-label={`Permission mode of your messages: ${chosen.name}`}
          className="flex h-8 items-center gap-1.5 rounded-md px-2 text-sm text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:h-11"
        >
          <ShieldQuestion size={15} aria-hidden="true" />
          <span className={mode === null ? 'max-phone:sr-only' : undefined}>{chosen.name}</span>
          <ChevronDown size={13} aria-hidden="true" className="text-faint" />
        </button>
      }
    >
      <MenuLabel>Permission mode of your messages</MenuLabel>
      {CHOICES.map((choice) => (
        <MenuChoice key={choice.name} checked={choice.mode === mode} onSelect={() => onMode(choice.mode)}>
          {choice.name}
        </MenuChoice>
      ))}
    </Menu>
  );
}
