import { useEffect } from 'react';
import { Dialog } from '../../components/overlay/dialog';
import { Keycap } from '../../components/ui/keycap';
import { MODIFIER } from '../../lib/keyboard/use-shortcut';
import { openAppDialog } from '../services/app-dialog';

const SHORTCUTS: { keys: string[]; what: string }[] = [
  { keys: [`${MODIFIER} K`], what: 'Go to a project, session or page, start one, or search what was said' },
  { keys: [`${MODIFIER} J`], what: 'Go to the request that waits for an answer' },
  { keys: ['1', '2', '3'], what: 'On a request: allow once, allow the pattern, allow everything of its kind' },
  { keys: ['D', 'R'], what: 'On a request: deny, deny with a reason' },
  { keys: ['Enter'], what: 'Send the message' },
  { keys: ['Shift Enter'], what: 'New line' },
  { keys: ['↑', '↓'], what: 'In an empty message field: your earlier messages' },
  { keys: ['Esc'], what: 'Stop the turn' },
  { keys: ['?'], what: 'This list' },
];

function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** The keys that do something, on `?` where nothing is being written. */
export function ShortcutsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      event.preventDefault();
      openAppDialog({ name: 'shortcuts' });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className="stack gap-1.5 pb-2">
        {SHORTCUTS.map(({ keys, what }) => (
          <div key={what} className="flex items-baseline justify-between gap-4">
            <dt>{what}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <Keycap key={key}>{key}</Keycap>
              ))}
              <span className="sr-only">{keys.join(', ')}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
