import { useEffect, useState, type RefObject } from 'react';

/**
 * Whether the end of a text has been in sight: at once where all of it fits. `end` is an element there, so every box
 * around it that scrolls counts. `isComplete` is false while a part is left out.
 */
export function useSeenEnd(end: RefObject<HTMLElement | null>, isComplete: boolean): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = end.current;
    if (element === null || isSeen || !isComplete) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [end, isSeen, isComplete]);
  return isSeen;
}
