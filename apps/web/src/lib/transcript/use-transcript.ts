import { useEffect } from 'react';
import { serviceContext } from '../state/service-context';
import { useObservable } from '../state/use-observable';
import type { TranscriptSnapshot, TranscriptStore } from './transcript-store';
import type { TranscriptStores } from './transcript-stores';

export const [TranscriptsContext, useTranscripts] = serviceContext<TranscriptStores>('transcripts');

export function useTranscriptStore(sessionId: string): TranscriptStore {
  const store = useTranscripts().of(sessionId);
  useEffect(() => store.watch(), [store]);
  return store;
}

export function useTranscript(store: TranscriptStore): TranscriptSnapshot {
  return useObservable(store.snapshot);
}
