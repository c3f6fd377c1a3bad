import { useEffect, useState } from 'react';
import { Dialog } from '../../components/overlay/dialog';
import { Keycap } from '../../components/ui/keycap';
import { MODIFIER } from '../../lib/keyboard/use-shortcut';

const SHORTCUTS: { keys: string[]; what: string }[] = [
  { keys: [`${MODIFIER} K`], what: 'Go to a project, session or page' },
  { keys: [`${MODIFIER} J`], what: 'Go to the request that waits for an answer' },
  { keys: ['1', '2', '3'], what: 'On a request: allow once, allow the pattern, allow the tool' },
  { keys: ['D', 'R'], what: 'On a request: deny, deny with a reason' },
  { keys: ['Enter'], what: 'Send the message' },
  { keys: ['Shift Enter'], what: 'Begin a line' },
  { keys: ['↑', '↓'], what: 'In an empty message field: your earlier messages' },
  { keys: ['Esc'], what: 'Stop the turn' },
  { keys: ['?'], what: 'This list' },
];

function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** The keys that do something, on `?` where nothing is being written. */
export function ShortcutsDialog() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Dialog open={isOpen} onOpenChange={setOpen} title="Keyboard shortcuts">
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
