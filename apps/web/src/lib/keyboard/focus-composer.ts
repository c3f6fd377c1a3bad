/** Gives the keyboard back to the message field; not where that would bring up a keyboard on the screen. */
export function focusComposer(): void {
  if (window.matchMedia('(pointer: coarse)').matches) return;
  document.getElementById('composer')?.focus();
}
