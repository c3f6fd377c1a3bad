/**
 * Gives an element the focus where it is nowhere in particular: on the page, as after what had it went away, or on
 * something around the element. What a person is at is left alone.
 */
export function focusIfLost(element: HTMLElement | null): void {
  if (element !== null && (document.activeElement ?? document.body).contains(element)) element.focus();
}
