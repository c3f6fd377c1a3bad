import type { TurnStatus } from '@chirality/contracts';
import type { TurnCause } from '@chirality/domain';

export interface Claim {
  turnId: string;
  attempt: number;
  fence: bigint;
}

export interface StoredEvent {
  id: number;
  turn: string | null;
  kind: string;
  /** What tells one event from another; for `turn:end` the status. */
  text: string;
}

export interface StoredTurn {
  id: string;
  status: TurnStatus;
  attempt: number;
  fence: bigint;
}

export type WorkerName = 'a' | 'b';
export type SettleCause = 'succeed' | 'fail' | 'interrupt' | 'time_out';

/** One session, one person, two workers and a reconciler: the acts that are interleaved. Any of them may reject. */
export interface TurnStore {
  accept(): Promise<string | null>;
  claim(worker: WorkerName): Promise<Claim | null>;
  /** Applies the cause with an event, as a worker does. False: refused or fenced. */
  move(worker: WorkerName, claim: Claim, from: TurnStatus, cause: TurnCause, text: string): Promise<boolean>;
  append(worker: WorkerName, claim: Claim, text: string): Promise<boolean>;
  settle(worker: WorkerName, claim: Claim, from: TurnStatus, cause: SettleCause): Promise<boolean>;
  /** The end of a process that was parked after its turn: the one event that may follow a turn's end. */
  appendParkedExit(turnId: string, text: string): Promise<void>;
  interrupt(turnId: string): Promise<void>;
  isInterruptRequested(worker: WorkerName, claim: Claim): Promise<boolean>;
  /** The lease of that worker runs out now. */
  loseLease(worker: WorkerName): Promise<void>;
  renewLease(worker: WorkerName): Promise<boolean>;
  register(worker: WorkerName): Promise<void>;
  reconcile(): Promise<void>;
  turns(): Promise<StoredTurn[]>;
  events(): Promise<StoredEvent[]>;
}
