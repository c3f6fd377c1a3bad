import { useLayoutEffect, type RefObject } from 'react';

/**
 * Makes a field as high as its text, also when its width changes: a panel opens beside it, a phone is turned. Where the
 * text is too long to be measured at each key, the field keeps the height of its rows.
 */
export function useFittedHeight(fieldRef: RefObject<HTMLTextAreaElement | null>, text: string, isLong: boolean): void {
  useLayoutEffect(() => {
    const area = fieldRef.current;
    if (area === null) return;
    let width = -1;
    const fit = () => {
      if (area.clientWidth === width) return;
      width = area.clientWidth;
      area.style.height = isLong ? '' : 'auto';
      if (!isLong) area.style.height = `${area.scrollHeight}px`;
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(area);
    return () => observer.disconnect();
  }, [fieldRef, text, isLong]);
}
