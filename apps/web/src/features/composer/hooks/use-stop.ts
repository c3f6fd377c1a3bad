import { useState } from 'react';
import { messageOf } from '../../../lib/http/api-error';
import { useNotices } from '../../../lib/notices/notices-service';
import { useIsShown } from '../../../lib/page/use-is-shown';
import { useNow } from '../../../lib/state/use-now';
import { useInterruptTurn } from '../composer.api';
import { stopStage, type StopStage } from '../stop-stage';

export type Stop = { ask: () => void; stage: StopStage | null; failure: string | null };

/** Asks the live turn to end. What was asked for one turn says nothing about the next. */
export function useStop(sessionId: string, sessionTitle: string, turnId: string | null): Stop {
  const notices = useNotices();
  const [asked, setAsked] = useState<{ turnId: string; atMs: number } | null>(null);
  const isShown = useIsShown();
  const interrupt = useInterruptTurn(sessionId, (error) => {
    setAsked(null);
    // The person is on another page by now: there it would be missed.
    if (!isShown())
      notices.add({
        id: `stop/${sessionId}`,
        sessionId,
        sessionTitle,
        tone: 'bad',
        text: `The turn was not stopped. ${messageOf(error)}`,
        words: null,
      });
  });
  const now = useNow();
  const isAsked = asked !== null && asked.turnId === turnId;
  return {
    ask: () => {
      if (turnId === null || isAsked) return;
      setAsked({ turnId, atMs: now });
      interrupt.mutate();
    },
    stage: isAsked ? stopStage(now - asked.atMs) : null,
    failure: interrupt.isError && !isAsked && turnId !== null ? messageOf(interrupt.error) : null,
  };
}
