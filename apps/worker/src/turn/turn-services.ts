import type { EventPayload, TurnError, TurnStatus } from '@chirality/contracts';
import type {
  AnsweredPermission,
  AppendItem,
  AppendResult,
  ClaimedTurn,
  PermissionEnd,
  TurnChanges,
  Tx,
} from '@chirality/database';
import type { PolicyInForce, TurnCause } from '@chirality/domain';
import type { BlobStore, Logger } from '@chirality/platform';
import type { EgressBinding } from '../egress';
import type { Backlog } from '../harness/harness';
import type { TurnPayments } from '../key/turn-payments';
import type { NewPermission } from '../permission/permission-desk';
import type { PolicyBypass } from '../permission/answer-witness';
import type { LedgerEntry } from '../permission/tool-gate';
import type { LiveProcess, ProcessOrigin } from '../process/live-process';
import type { RunEnd } from '../process/process-run';
import type { Acquired } from '../process/process-starter';
import type { FileChanges } from '../workspace/snapshot/file-changes';
import type { PreparedTurn } from '../process/prepared-turn';
import type { TurnCosts } from '../key/turn-costs';
import type { Ending } from '../outcome/turn-ending';
import type { TurnJournal } from '../record/turn-journal';
import type { TurnTimings } from '../record/turn-timings';
import type { WatchdogLimits } from '../outcome/turn-watchdog';

/** Which attempt of a turn a write is for. */
export type AttemptRef = { turnId: string; sessionId: string; attempt: number; fence: bigint };

/** Everything that one turn's execution needs from the rest of the worker. */
export interface TurnServices {
  workerId: string;
  log: Logger;
  rawLogRoot: string;
  blobs: BlobStore;
  backlog: Backlog;
  append(item: AppendItem): Promise<AppendResult>;
  applyTransition(
    tx: Tx,
    change: AttemptRef & { from: TurnStatus; cause: TurnCause; set?: TurnChanges },
  ): Promise<boolean>;

  /** Workspace, conversation, options and prompt of a turn. Throws ProblemError for what a person can fix. */
  prepare(claimed: ClaimedTurn, journal: TurnJournal, stopped: AbortSignal): Promise<PreparedTurn>;
  /** The session's waiting process, or a new one that has said nothing yet. */
  acquire(claimed: ClaimedTurn, prepared: PreparedTurn, mode: 'any' | 'cold'): Promise<Acquired>;
  bind(
    live: LiveProcess,
    claimed: ClaimedTurn,
    attempt: number,
    spending: { costs: TurnCosts; payments: TurnPayments },
    onEgressRefused: EgressBinding['onRefused'],
  ): void;
  /** Whether the model can be reached at the cost of the turn's author. Never rejects. */
  checkModel(claimed: ClaimedTurn): Promise<{ ok: true } | { ok: false; error: TurnError }>;
  mayPark(claimed: ClaimedTurn, prepared: PreparedTurn): boolean;
  park(live: LiveProcess): Promise<void>;
  /** After a process that is not parked is gone. */
  discard(live: LiveProcess): Promise<void>;
  limits(prepared: PreparedTurn, origin: ProcessOrigin): WatchdogLimits;

  /** What project and session say about tools at this moment. */
  policyInForce(claimed: ClaimedTurn): Promise<PolicyInForce>;
  writeLedger(attempt: AttemptRef, entry: LedgerEntry): Promise<boolean>;
  /** Records for admins that a tool ran which was not allowed. Never rejects. */
  auditBypass(claimed: ClaimedTurn, bypass: PolicyBypass): Promise<void>;
  /** A person allowed a call of the ledger; false when the attempt is over. */
  markAllowed(attempt: AttemptRef, toolUseId: string): Promise<boolean>;
  closeLedger(attempt: AttemptRef, toolUseId: string, outcome: 'ok' | 'error'): void;
  insertPermission(tx: Tx, attempt: AttemptRef, permission: NewPermission & { expiresAt: Date }): Promise<void>;
  readPermissions(permissionIds: string[]): Promise<AnsweredPermission[]>;
  /**
   * Closes requests that no person answered: the process is gone or withdrew them, a rule decides, or no one is
   * present. Never rejects.
   */
  endPermissions(attempt: AttemptRef, permissionIds: string[], end: PermissionEnd): Promise<void>;
  /** Gives requests that wait another deadline. Never rejects. */
  moveDeadlines(attempt: AttemptRef, permissionIds: string[], expiresAt: Date): Promise<void>;
  /** How many people have the app open who may answer the session's questions. */
  countAnswerers(attempt: AttemptRef): Promise<number>;
  /** How long a question waits when no one is present. */
  unattendedMs: number;
  /** How long it waits at most. */
  waitMs: number;

  /** Which files changed since the turn began; null when that could not be found out. */
  summariseChanges(claimed: ClaimedTurn): Promise<FileChanges | null>;
  settle(settlement: Settlement): Promise<void>;
  /** A sandbox did not come up. */
  sandboxFailed(): void;
  /** The attempt ended in good order, and what is known of the workspace's files is true. */
  keepState(claimed: ClaimedTurn, fence: bigint): void;
  /** The attempt is over and leaves nothing to store. */
  releaseState(claimed: ClaimedTurn, fence: bigint): void;
  /** Stores transcript and workspace; reports failures, never throws. */
  storeState(
    claimed: ClaimedTurn,
    facts: { fence: bigint; claudeSessionId: string | null; mutated: boolean },
  ): Promise<void>;
}

export type Settlement = {
  claimed: ClaimedTurn;
  journal: TurnJournal;
  attempt: AttemptRef;
  ending: Ending;
  last: RunEnd | null;
  /** The turn's outcome, where it was not announced yet. */
  lastWords: EventPayload<'session:complete'> | null;
  /** What served the turn, where its row does not say so yet. */
  launch: string | null;
  /** What the session is booted for from now on; null leaves it as it is. */
  bootFingerprint: string | null;
  costs: TurnCosts;
  timings: TurnTimings;
};
