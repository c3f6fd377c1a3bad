import { ApiError } from '../http/api-error';
import type { SessionEvent } from '../routes';
import { openEvents, type Connection } from './open-events';
import { readSse } from './read-sse';

export type FollowOptions = {
  /** The last event that is known; 0 begins at the first one. */
  after?: number;
  /** Ends the follow: the loop over it then ends without an error. */
  signal?: AbortSignal;
  /** `live` when the stream is open, `waiting` while it is being opened again. */
  onState?: (state: 'live' | 'waiting') => void;
  /** Until the next attempt, by how many failed in a row. */
  delayMs?: (failures: number) => number;
};

/** The server says something every 15 s: a connection that is silent for longer is dead, whatever TCP says. */
const SILENCE_LIMIT_MS = 45_000;
/** An id that is missing from the log itself would be asked for without end. */
const MAX_GAPS_IN_A_ROW = 5;

/**
 * The events of a session behind `after`, each once and without a gap, across every loss of the connection, until
 * `signal` ends it. Throws `ApiError` where the server refuses: the session is gone, the token has ended.
 */
export async function* followEvents(
  connection: Connection,
  sessionId: string,
  { after = 0, signal, onState, delayMs = backoffMs }: FollowOptions = {},
): AsyncGenerator<SessionEvent, void, undefined> {
  const ended = signal ?? new AbortController().signal;
  let cursor = after;
  let failures = 0;
  let gaps = 0;
  while (!ended.aborted) {
    const attempt = new AbortController();
    const silence = watchSilence(() => attempt.abort());
    try {
      const body = await openEvents(connection, sessionId, cursor, AbortSignal.any([ended, attempt.signal]));
      onState?.('live');
      for await (const { event, data, id } of readSse(body, silence.heard)) {
        // What the stream says of itself has no id: token-expiring, token-expired, session-closed.
        if (id === null) {
          if (event === 'token-expired' || event === 'session-closed') break;
          continue;
        }
        const number = Number(id);
        if (number <= cursor) continue;
        if (number !== cursor + 1) {
          gaps += 1;
          if (gaps >= MAX_GAPS_IN_A_ROW) throw missingEvents(cursor + 1, number - 1);
          break;
        }
        cursor = number;
        failures = 0;
        gaps = 0;
        yield JSON.parse(data) as SessionEvent;
      }
      failures += 1;
    } catch (error) {
      if (ended.aborted) return;
      failures += 1;
      const isRefusal = error instanceof ApiError && !error.isPassing;
      if (isRefusal) throw error;
      if (error instanceof ApiError && error.retryAfterMs !== null) await sleep(error.retryAfterMs, ended);
    } finally {
      silence.stop();
      attempt.abort();
    }
    if (ended.aborted) return;
    onState?.('waiting');
    await sleep(delayMs(failures), ended);
  }
}

/** 0.1 s, 0.2 s … up to 10 s, spread so that many clients do not return at one moment. */
function backoffMs(failures: number): number {
  return Math.min(10_000, 100 * 2 ** Math.min(failures - 1, 10)) * (0.75 + Math.random() / 2);
}

function missingEvents(from: number, to: number): ApiError {
  return new ApiError({
    status: 200,
    code: 'UNKNOWN',
    detail: `Events ${from} to ${to} are missing from the stream. Something between you and the server drops them.`,
  });
}

function watchSilence(onSilence: () => void): { heard: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const heard = () => {
    stop();
    timer = setTimeout(onSilence, SILENCE_LIMIT_MS);
  };
  return { heard, stop };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done);
  });
}
