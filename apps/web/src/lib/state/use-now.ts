import { useSyncExternalStore } from 'react';
import { serverNow } from '@chirality/client';

const listeners = new Set<() => void>();
let now = serverNow();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // React looks again once it is subscribed, so the first reader does not see an old time.
  if (timer === null) now = serverNow();
  timer ??= setInterval(() => {
    now = serverNow();
    for (const tell of [...listeners]) tell();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** The server's time, moving once a second; one timer for all readers. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

const MINUTE_MS = 60_000;

/** The same, moving once a minute. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(now / MINUTE_MS) * MINUTE_MS);
}
