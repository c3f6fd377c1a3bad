import { useEffect, useState, type RefObject } from 'react';

/** Rounding on screens whose pixels are not whole. */
const END_PX = 3;

/**
 * Whether the end of a scrolling box has been in sight: at once where all of it fits. `isComplete` is false while a
 * part is left out.
 */
export function useSeenEnd(box: RefObject<HTMLElement | null>, isComplete: boolean): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null || isSeen || !isComplete) return;
    const look = () => {
      if (element.clientHeight > 0 && element.scrollHeight - element.scrollTop - element.clientHeight <= END_PX)
        setSeen(true);
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [box, isSeen, isComplete]);
  return isSeen;
}
