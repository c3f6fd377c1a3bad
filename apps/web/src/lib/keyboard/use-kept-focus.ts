import { useLayoutEffect, type RefObject } from 'react';

/**
 * When the element goes away while the focus is in it, the focus moves to what is around it instead of to the page's
 * top.
 */
export function useKeptFocus(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      // Layout effects are cleaned up before the element is removed, so the focus is still in it.
      if (element?.contains(document.activeElement))
        element.parentElement?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
    };
  }, [ref]);
}
