import type { TranscriptState } from '@chirality/domain';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Earlier } from '../../../lib/transcript/earlier';
import { endsWithMove, nextStep, type Goal } from './seeking';

type Parts = {
  rows: readonly { key: string }[];
  state: TranscriptState;
  earlier: Earlier;
  show: (at: number, offsetPx: number) => void;
};
type Arrival = { key: string | undefined; at: number; offsetPx: number };

type Seeking = {
  isSeeking: boolean;
  /** The row that an address led to; null before one did. */
  foundKey: string | null;
  seek: (goal: Goal) => void;
  stop: () => void;
  /** The reader moves: where they are brought without having asked is no longer theirs. */
  leave: () => void;
};

/** Brings the reader to a place, loading what is before the rows that are there until it is one of them. */
export function useSeeking({ rows, state, earlier, show }: Parts): Seeking {
  const [goal, setGoal] = useState<Goal | null>(null);
  /** What had failed when the goal was set: looking for a place is a reason to try that again. */
  const [earlierFailure, setEarlierFailure] = useState<unknown>(null);
  const [arrival, setArrival] = useState<Arrival | null>(null);
  const [foundKey, setFoundKey] = useState<string | null>(null);
  const shown = useRef<Arrival | null>(null);
  const next = goal === null ? null : nextStep(goal, rows, state);
  if (goal !== null && next !== null && next.step !== 'load') {
    setGoal(null);
    if (goal.kind === 'moment') setFoundKey(next.step === 'show' ? (rows[next.at]?.key ?? null) : null);
    if (next.step === 'show')
      setArrival({ key: rows[next.at]?.key, at: next.at, offsetPx: goal.kind === 'place' ? goal.offsetPx : 0 });
  }

  useLayoutEffect(() => {
    if (arrival === null || shown.current === arrival) return;
    shown.current = arrival;
    show(arrival.at, arrival.offsetPx);
  }, [arrival, show]);

  // Rows that are put in above give the row another index, and the list may still be on its way to the old one.
  const firstKey = rows[0]?.key;
  const [seenFirstKey, setSeenFirstKey] = useState(firstKey);
  if (seenFirstKey !== firstKey) {
    setSeenFirstKey(firstKey);
    const at = arrival === null ? -1 : rows.findIndex(({ key }) => key === arrival.key);
    if (goal === null && arrival !== null && at !== arrival.at) setArrival(at === -1 ? null : { ...arrival, at });
  }

  // A failure meanwhile waits for the person.
  const wantsMore =
    next?.step === 'load' && !earlier.isLoading && (earlier.error === null || earlier.error === earlierFailure);
  useEffect(() => {
    if (wantsMore) earlier.load();
  }, [wantsMore, earlier]);

  const { error } = earlier;
  const seek = useCallback(
    (wanted: Goal) => {
      setArrival(null);
      setEarlierFailure(error);
      setGoal(wanted);
    },
    [error],
  );
  return {
    isSeeking: next?.step === 'load',
    foundKey,
    seek,
    stop: useCallback(() => setGoal(null), []),
    leave: useCallback(() => {
      setArrival(null);
      setGoal((current) => (current !== null && endsWithMove(current) ? null : current));
    }, []),
  };
}
