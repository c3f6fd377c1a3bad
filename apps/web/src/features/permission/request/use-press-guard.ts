import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { PressGuard, UNANSWERABLE_MS } from './press-guard';

export type Guarded = {
  /** False for the first moment: answers are off. */
  isAnswerable: boolean;
  /** A press came that was not meant for this card; nothing was answered. */
  wasStopped: boolean;
  /** Does the act, unless the press that led to it was not meant for this card. */
  guard: (act: () => void) => void;
};

const ENDS = ['pointerup', 'pointercancel', 'keyup'] as const;

/** Guards the answers of a card that has just come, from the moment at which it can be seen. */
export function usePressGuard(card: RefObject<HTMLElement | null>): Guarded {
  const guardRef = useRef<PressGuard | null>(null);
  const [isAnswerable, setAnswerable] = useState(false);
  const [wasStopped, setStopped] = useState(false);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const appear = () => {
      if (document.visibilityState !== 'visible' || guardRef.current !== null) return;
      guardRef.current = new PressGuard(performance.now());
      timer = setTimeout(() => setAnswerable(true), UNANSWERABLE_MS);
    };
    const note = (event: Event) => {
      if (event instanceof KeyboardEvent && event.repeat) return;
      guardRef.current?.began(
        event.target instanceof Node && card.current?.contains(event.target) === true,
        performance.now(),
      );
    };
    const end = () => guardRef.current?.ended(performance.now());
    appear();
    document.addEventListener('visibilitychange', appear);
    window.addEventListener('pointerdown', note, true);
    window.addEventListener('keydown', note, true);
    for (const event of ENDS) window.addEventListener(event, end, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', appear);
      window.removeEventListener('pointerdown', note, true);
      window.removeEventListener('keydown', note, true);
      for (const event of ENDS) window.removeEventListener(event, end, true);
      guardRef.current = null;
    };
  }, [card]);

  const guard = useCallback((act: () => void) => {
    const may = guardRef.current?.mayAnswer(performance.now()) === true;
    setStopped(!may);
    if (may) act();
  }, []);
  return { isAnswerable, wasStopped, guard };
}
