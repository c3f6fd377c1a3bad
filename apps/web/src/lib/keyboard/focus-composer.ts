let isWanted = false;

/** Gives the keyboard back to the message field; not where that would bring up a keyboard on the screen. */
export function focusComposer(): void {
  if (window.matchMedia('(pointer: coarse)').matches) return;
  document.getElementById('composer')?.focus();
}

/** The same on a page that opens next, once its message field is there. */
export function focusNextComposer(): void {
  isWanted = true;
}

/** The message field is there. */
export function composerOpened(): void {
  if (isWanted) focusComposer();
  isWanted = false;
}
