import type { RecordedWork } from '@chirality/contracts';

/** What Postgres knows of a session's stored state. */
export interface StatePointer {
  /** Counts the stored states; 0: nothing was stored yet. */
  version: number;
  /** Blob key of the manifest of that version; null for version 0. */
  key: string | null;
  holderWorkerId: string | null;
  /**
   * The highest fence of an attempt that started a process for this session, the asking turn's own left out; null when
   * there was none. A copy with a lower one lacks a turn's work.
   */
  lastRunFence: bigint | null;
}

/** The row that decides which stored state of a session counts. Every method is one statement. */
export interface StatePointers {
  read(sessionId: string): Promise<StatePointer | null>;
  /**
   * Makes the worker the session's holder while `fence` is the session's fence. Null: it is not, another worker took
   * over.
   */
  hold(hold: { sessionId: string; workerId: string; fence: bigint }): Promise<StatePointer | null>;
  /**
   * Makes the worker the session's holder while no turn of it is live and no other live worker holds it. Null: a turn
   * is live, or another worker holds the session.
   */
  holdIdle(hold: { sessionId: string; workerId: string }): Promise<StatePointer | null>;
  /** What a person did to the files is on this disk alone until `move` succeeds. */
  markUnstored(of: { sessionId: string; workerId: string }): Promise<void>;
  /** Storing what follows that version failed: until `move` people read since when. */
  noteUnstored(of: { sessionId: string; workerId: string; fromVersion: number }): Promise<void>;
  /**
   * Makes `key` version `fromVersion` + 1 if that worker still is the holder and `fromVersion` the version. `unpushed`:
   * what its files have beyond the project, null where that is not known, undefined where they did not change.
   */
  move(move: {
    sessionId: string;
    workerId: string;
    fromVersion: number;
    key: string;
    unpushed?: RecordedWork | null;
    isTooLarge?: boolean;
  }): Promise<boolean>;
}
