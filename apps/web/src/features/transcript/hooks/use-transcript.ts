import { useEffect } from 'react';
import { transcripts } from '../../../app/services';
import { useObservable } from '../../../lib/use-observable';
import type { TranscriptSnapshot } from '../transcript-store';
import type { TranscriptStore } from '../transcript-store';

export function useTranscriptStore(sessionId: string): TranscriptStore {
  const store = transcripts.of(sessionId);
  useEffect(() => store.watch(), [store]);
  return store;
}

export function useTranscript(store: TranscriptStore): TranscriptSnapshot {
  return useObservable(store.snapshot);
}
