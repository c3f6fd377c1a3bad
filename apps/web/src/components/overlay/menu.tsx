import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from '../class-names';

/** Where the menu is put: within the page's content, which is where those who go by landmarks look for it. */
function landmark(): HTMLElement | null {
  return document.getElementById('main');
}

export function Menu({
  trigger,
  children,
  align = 'end',
}: {
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
}) {
  return (
    // Not modal: the page behind stays readable.
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={landmark()}>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-[70dvh] min-w-44 animate-appear overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-pop"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const ITEM =
  'flex w-full cursor-default select-none items-center gap-2.5 rounded-md px-2.5 py-1.5 text-base outline-none data-highlighted:bg-hover data-disabled:text-faint pointer-coarse:py-2.5';

type ItemProps = { icon?: ReactNode; onSelect?: () => void; danger?: boolean; disabled?: boolean; children: ReactNode };

export function MenuItem({ icon, onSelect, danger = false, disabled = false, children }: ItemProps) {
  return (
    <Radix.Item className={classNames(ITEM, danger && 'text-bad')} disabled={disabled} {...(onSelect && { onSelect })}>
      {icon !== undefined && <span className={danger ? 'text-bad' : 'text-faint'}>{icon}</span>}
      {children}
    </Radix.Item>
  );
}

export function MenuChoice({
  checked,
  onSelect,
  children,
}: {
  checked: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Radix.CheckboxItem checked={checked} onSelect={onSelect} className={classNames(ITEM, 'pe-8')}>
      <span className="w-4 text-accent">{checked && <Check size={15} />}</span>
      {children}
    </Radix.CheckboxItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-faint">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}
