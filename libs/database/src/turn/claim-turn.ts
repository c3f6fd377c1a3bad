import { SYSTEM, type Originator, type OutputSchema, type Turn } from '@chirality/contracts';
import type { Tx } from '../connection/database';
import { sessionToRunFromRow, type SessionToRun } from '../session/session-to-run';
import type { WorkerLife } from '../worker/lease';
import { takeNextTurn, type ClaimRow } from './turn-claim.sql';

/** What a worker needs to begin a turn that is now its own. */
export interface ClaimedTurn extends SessionToRun {
  id: string;
  kind: Turn['kind'];
  /** Who began it: whose events these are. */
  originator: Originator;
  attempt: number;
  /** Of the shared workspace, which this turn's writes to it carry; null where the session has its own. */
  workspaceFence: bigint | null;
  /** Masked; what is sent to the model is in the cipher. */
  message: string;
  messageCipher: Buffer;
  /** What the answer has to be; null where it may be anything. */
  outputSchema: OutputSchema | null;
  queuedAt: Date;
  startedAt: Date;
  /** Whether other turns waited in the queue at that moment, whichever worker may claim them. */
  othersQueued: boolean;
  /** Whether people ever said how a tool call of this session ended. */
  hasToldCalls: boolean;
  /** Whether a file was ever sent in this session. */
  hasAttachments: boolean;
  /** Whether other sessions changed the shared files since this one's last turn. */
  changedByOthers: boolean;
}

/**
 * Takes the next turn of the queue for that worker, or answers null: none is waiting that it may take, its own lease is
 * not good, or it has begun another life since. Two claimers never get the same turn. `known`, where an answer was
 * lost: the turns that this worker was given before; it must not have another claim under way.
 */
export async function claimNextTurn(
  tx: Tx,
  worker: WorkerLife,
  { known }: { known: string[] | null },
): Promise<ClaimedTurn | null> {
  const row = await takeNextTurn(tx, worker, known);
  return row ? claimedFromRow(row) : null;
}

function claimedFromRow(row: ClaimRow): ClaimedTurn {
  return {
    ...sessionToRunFromRow(row),
    id: row.id,
    kind: row.kind,
    originator: row.originator === null ? SYSTEM : (JSON.parse(row.originator) as Originator),
    attempt: row.attempt,
    workspaceFence: row.workspace_fence === null ? null : BigInt(row.workspace_fence),
    message: JSON.parse(row.message) as string,
    messageCipher: row.message_cipher,
    outputSchema: row.output_schema === null ? null : (JSON.parse(row.output_schema) as OutputSchema),
    queuedAt: row.queued_at,
    startedAt: row.started_at,
    othersQueued: row.others_queued,
    hasToldCalls: row.has_told_calls,
    hasAttachments: row.has_attachments,
    changedByOthers: row.changed_by_others,
  };
}
