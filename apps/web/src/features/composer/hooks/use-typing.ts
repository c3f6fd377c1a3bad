import { useCallback, useEffect, useRef } from 'react';
import { useLive } from '../../../lib/live/live-service';

const SAY_EVERY_MS = 2_500;
const QUIET_AFTER_MS = 4_000;

/** Tells the others that someone is typing, at most every few seconds, and that they stopped. */
export function useTyping(sessionId: string): { typed: () => void; stopped: () => void } {
  const live = useLive();
  const saidAt = useRef(0);
  const quiet = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(quiet.current);
      if (saidAt.current > 0) live.type(sessionId, false);
      saidAt.current = 0;
    },
    [live, sessionId],
  );
  const stopped = useCallback(() => {
    clearTimeout(quiet.current);
    if (saidAt.current > 0) live.type(sessionId, false);
    saidAt.current = 0;
  }, [live, sessionId]);
  const typed = useCallback(() => {
    const now = Date.now();
    clearTimeout(quiet.current);
    quiet.current = setTimeout(() => {
      saidAt.current = 0;
      live.type(sessionId, false);
    }, QUIET_AFTER_MS);
    if (now - saidAt.current < SAY_EVERY_MS) return;
    saidAt.current = now;
    live.type(sessionId, true);
  }, [live, sessionId]);
  return { typed, stopped };
}
