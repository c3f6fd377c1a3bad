import type { KeyboardEvent } from 'react';

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'keyCode'> & {
  nativeEvent: { isComposing: boolean };
};

/** Fingers: the keyboard is on the screen and has no Shift+Enter. */
function hasCoarsePointer(): boolean {
  return typeof window !== 'undefined' && window.matchMedia('(pointer: coarse)').matches;
}

/**
 * Whether this key sends what was written. Enter does, Shift+Enter begins a line, and Enter that ends an input method's
 * composition does neither; where fingers type, Enter begins a line and the button sends. Ctrl+Enter sends everywhere.
 */
export function isSendKey(event: Key, isTouch = hasCoarsePointer()): boolean {
  // Safari says that composing has ended before it reports the key that ended it; the code then is 229.
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.keyCode === 229) return false;
  if (event.ctrlKey || event.metaKey) return true;
  return !event.shiftKey && !isTouch;
}
