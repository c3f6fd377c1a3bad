import { useMemo } from 'react';
import { useObservable } from '../../../lib/state/use-observable';
import type { Draft } from '../../../lib/message/draft';
import { sizeProblem } from '../message-size';
import { isBlank, type Words } from '../../../lib/message/pasted-text';

/** What is written in a draft now, and whether it can be sent. */
export function useWords(draft: Draft): { words: Words; isBlank: boolean; problem: string | null } {
  const text = useObservable(draft.text);
  const pasted = useObservable(draft.pasted);
  return useMemo(() => {
    const words = { text, pasted };
    return { words, isBlank: isBlank(words), problem: sizeProblem(words) };
  }, [text, pasted]);
}
