import { useEffect } from 'react';

/** What is open over the page and handles Escape itself. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Fields and cards handle Escape themselves; the message field does not. */
function isTaken(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.id !== 'composer' &&
    target.closest('input, textarea, select, [contenteditable], [data-card]') !== null
  );
}

/** Calls `act` on an Escape that nothing else on the page waits for: no menu, dialog, list or other field. */
export function useEscape(act: (() => void) | null): void {
  useEffect(() => {
    if (act === null) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.repeat || event.isComposing || event.defaultPrevented) return;
      if (isTaken(event.target) || document.querySelector(OVERLAYS) !== null) return;
      act();
    };
    // Before any overlay has heard of it and has closed.
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [act]);
}
