import type { Tx } from '../connection/database';
import type { SessionRow, TurnRow } from '../generated/rows';

/** Which stored state counts: of a session's transcript and files, or of files that sessions share. */
export interface StatePointer {
  /** Counts the stored states; 0: nothing was stored yet. */
  version: number;
  /** Blob key of that version's manifest; null for version 0. */
  key: string | null;
  holderWorkerId: string | null;
  /** The highest fence of a turn in it that had a process and is over; null when there was none. */
  lastRunFence: bigint | null;
}

type PointerRow = Pick<SessionRow, 'state_version' | 'state_key' | 'holder_worker_id'> & {
  last_run_fence: TurnRow['fence'] | null;
};

/** The pointer in the one row that a statement answers; null where it answers none. */
export async function onePointer(tx: Tx, sql: string, values: unknown[]): Promise<StatePointer | null> {
  const { rows } = await tx.query<PointerRow>(sql, values);
  const row = rows[0];
  if (!row) return null;
  return {
    version: row.state_version,
    key: row.state_key,
    holderWorkerId: row.holder_worker_id,
    lastRunFence: row.last_run_fence === null ? null : BigInt(row.last_run_fence),
  };
}
