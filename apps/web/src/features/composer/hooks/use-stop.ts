import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../lib/http/api-error';
import { useNow } from '../../../lib/use-now';
import { interruptTurn } from '../api/interrupt-turn';
import { stopStage, type StopStage } from '../stop-stage';

export type Stop = { ask: () => void; stage: StopStage | null; failure: string | null };

/** Asks the live turn to end. What was asked for one turn says nothing about the next. */
export function useStop(sessionId: string, turnId: string | null): Stop {
  const [asked, setAsked] = useState<{ turnId: string; atMs: number } | null>(null);
  const interrupt = useMutation({ mutationFn: interruptTurn, onError: () => setAsked(null) });
  const now = useNow();
  const isAsked = asked !== null && asked.turnId === turnId;
  return {
    ask: () => {
      if (turnId === null || isAsked) return;
      setAsked({ turnId, atMs: now });
      interrupt.mutate(sessionId);
    },
    stage: isAsked ? stopStage(now - asked.atMs) : null,
    failure: interrupt.isError && !isAsked && turnId !== null ? messageOf(interrupt.error) : null,
  };
}
