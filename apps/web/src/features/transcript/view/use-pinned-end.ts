import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Who moves down to closer than this has come to the end. */
const NEAR_PX = 40;
/** What is lost to rounding where the screen's pixels are not whole. */
const END_PX = 2;
/** For so long after a wheel, key, press or swipe a movement is taken for the reader's own. */
const OWN_MOVE_MS = 400;

const OWN_MOVES = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

type Seen = { top: number; height: number; frame: number };

function seen(element: HTMLElement): Seen {
  return { top: element.scrollTop, height: element.scrollHeight, frame: element.clientHeight };
}

type PinnedEnd = { isAtEnd: boolean; onScroll: () => void; pin: () => void; unpin: () => void };

/**
 * Keeps a list at its end while the reader is there, whatever grows, shrinks or is measured, and lets go as soon as
 * they move up. A list with a new layout moves too; the two are distinguished by whether the reader touched anything
 * and whether any size changed. `content` is whatever changes when the list does.
 */
export function usePinnedEnd(ref: RefObject<HTMLElement | null>, content: unknown): PinnedEnd {
  const isPinned = useRef(true);
  const last = useRef<Seen>({ top: 0, height: 0, frame: 0 });
  const movedAtMs = useRef(Number.NEGATIVE_INFINITY);
  const [isAtEnd, setAtEnd] = useState(true);

  const settle = useCallback(() => {
    const element = ref.current;
    if (element === null || !isPinned.current) return;
    element.scrollTop = element.scrollHeight;
    last.current = seen(element);
  }, [ref]);

  useLayoutEffect(settle, [settle, content]);

  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    // The frame shrinks when something is docked below it; its content grows when rows are measured.
    const observer = new ResizeObserver(settle);
    observer.observe(element);
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    const noteMove = () => {
      movedAtMs.current = performance.now();
    };
    for (const move of OWN_MOVES) element.addEventListener(move, noteMove, { passive: true });
    return () => {
      observer.disconnect();
      for (const move of OWN_MOVES) element.removeEventListener(move, noteMove);
    };
  }, [ref, settle]);

  const onScroll = useCallback(() => {
    const element = ref.current;
    if (element === null) return;
    const now = seen(element);
    const before = last.current;
    const distance = now.height - now.top - now.frame;
    const hasNewLayout = now.height !== before.height || now.frame !== before.frame;
    const isOwn = performance.now() - movedAtMs.current < OWN_MOVE_MS || !hasNewLayout;
    if (distance <= END_PX || (distance < NEAR_PX && now.top > before.top)) isPinned.current = true;
    else if (now.top < before.top && isOwn) isPinned.current = false;
    last.current = now;
    if (isPinned.current && distance > END_PX) settle();
    setAtEnd(isPinned.current);
  }, [ref, settle]);

  const pin = useCallback(() => {
    isPinned.current = true;
    setAtEnd(true);
    settle();
  }, [settle]);

  const unpin = useCallback(() => {
    isPinned.current = false;
  }, []);

  return { isAtEnd, onScroll, pin, unpin };
}
