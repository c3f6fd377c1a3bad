import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Closer to the end than this counts as being there. */
const NEAR_PX = 60;

function distanceToEnd(element: HTMLElement): number {
  return element.scrollHeight - element.scrollTop - element.clientHeight;
}

/**
 * Keeps a list at its end while the reader is there, whatever grows, shrinks or is measured, and lets go as soon as they
 * scroll up. `content` is whatever changes when the list does.
 */
export function usePinnedEnd(ref: RefObject<HTMLElement | null>, content: unknown): { isAtEnd: boolean; onScroll: () => void; pin: () => void } {
  const isPinned = useRef(true);
  const lastTop = useRef(0);
  const [isAtEnd, setAtEnd] = useState(true);

  const settle = useCallback(() => {
    const element = ref.current;
    if (element === null || !isPinned.current) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [ref]);

  useLayoutEffect(settle, [settle, content]);

  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    // The frame shrinks when something is docked below it; its content grows when rows are measured.
    const observer = new ResizeObserver(settle);
    observer.observe(element);
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [ref, settle]);

  const onScroll = useCallback(() => {
    const element = ref.current;
    if (element === null) return;
    const isNear = distanceToEnd(element) < NEAR_PX;
    if (isNear) isPinned.current = true;
    else if (element.scrollTop < lastTop.current - 1) isPinned.current = false;
    lastTop.current = element.scrollTop;
    setAtEnd(isNear || isPinned.current);
  }, [ref]);

  const pin = useCallback(() => {
    isPinned.current = true;
    setAtEnd(true);
    settle();
  }, [settle]);

  return { isAtEnd, onScroll, pin };
}
