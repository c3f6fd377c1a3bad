import { Backoff } from '../event/backoff';
import { isDatabaseUnavailable } from './database-error';

/**
 * Does it, and again while no server answers or a lock is in the way, for up to `limitMs` after the first try; then rejects
 * with the last error. For what may be done twice: an answer that was lost says nothing of whether it was done.
 */
export async function untilAnswered<T>(act: () => Promise<T>, limitMs: number): Promise<T> {
  const from = performance.now();
  const backoff = new Backoff(new AbortController().signal);
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() - from >= limitMs) throw error;
      await backoff.wait();
    }
  }
}
