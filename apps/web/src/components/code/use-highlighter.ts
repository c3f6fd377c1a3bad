import { useEffect, useSyncExternalStore } from 'react';
import type { HighlightTree } from './highlighter';

export type Highlight = (code: string, language: string) => HighlightTree | null;

/** Longer code is shown plain: colouring it would hold up the page. */
const LONGEST = 60_000;

let loaded: Highlight | null = null;
let isLoading = false;
const listeners = new Set<() => void>();

function load(): void {
  if (isLoading) return;
  isLoading = true;
  import('./highlighter').then(
    (module) => {
      loaded = module.highlight;
      for (const listener of [...listeners]) listener();
    },
    () => {
      isLoading = false;
    },
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The highlighter, fetched with the first code that is shown; null until it is here and for code it should not touch.
 */
export function useHighlighter(codeLength: number, language: string | null): Highlight | null {
  const highlight = useSyncExternalStore(subscribe, () => loaded);
  const isWanted = language !== null && codeLength <= LONGEST;
  useEffect(() => {
    if (isWanted) load();
  }, [isWanted]);
  return isWanted ? highlight : null;
}
