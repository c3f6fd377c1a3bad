import type { TranscriptSnapshot, TranscriptStore } from './transcript-store';

/** The turns before those that are shown, as a component needs them. */
export type Earlier = {
  hasMore: boolean;
  isLoading: boolean;
  /** Why they could not be loaded the last time; null when nothing went wrong. */
  error: unknown;
  load: () => void;
};

export function earlierOf(
  store: TranscriptStore,
  { state, isLoadingEarlier, earlierError }: TranscriptSnapshot,
): Earlier {
  return {
    hasMore: state.firstEventId > 1,
    isLoading: isLoadingEarlier,
    error: earlierError,
    load: () => void store.loadEarlier(),
  };
}
