import type { TranscriptState } from '@chirality/domain';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Earlier } from '../earlier';
import { nextStep, type Goal } from '../seeking';

type Parts = { rows: readonly { key: string }[]; state: TranscriptState; earlier: Earlier; show: (at: number, offsetPx: number) => void };
type Arrival = { at: number; offsetPx: number };

/** Brings the reader to a place, loading what is before the rows that are there until it is one of them. */
export function useSeeking({ rows, state, earlier, show }: Parts): { isSeeking: boolean; seek: (goal: Goal) => void; stop: () => void } {
  const [goal, setGoal] = useState<Goal | null>(null);
  const [arrival, setArrival] = useState<Arrival | null>(null);
  const shown = useRef<Arrival | null>(null);
  const next = goal === null ? null : nextStep(goal, rows, state);
  if (goal !== null && next !== null && next.step !== 'load') {
    setGoal(null);
    if (next.step === 'show') setArrival({ at: next.at, offsetPx: goal.kind === 'row' ? goal.offsetPx : 0 });
  }

  useLayoutEffect(() => {
    if (arrival === null || shown.current === arrival) return;
    shown.current = arrival;
    show(arrival.at, arrival.offsetPx);
  }, [arrival, show]);

  // A failure waits for the person.
  const wantsMore = next?.step === 'load' && !earlier.isLoading && earlier.error === null;
  useEffect(() => {
    if (wantsMore) earlier.load();
  }, [wantsMore, earlier]);

  return { isSeeking: next?.step === 'load', seek: setGoal, stop: useCallback(() => setGoal(null), []) };
}
