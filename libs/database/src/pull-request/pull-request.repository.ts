import type {
  GitHostKind,
  PullRequest,
  PullRequestReading,
  PullRequestStatus,
  PullRequestToOpen,
} from '@chirality/contracts';
import { newId } from '@chirality/domain';
import { insertAuditEntry } from '../audit/audit.repository';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { PullRequestRow } from '../generated/rows';

type NewPullRequest = {
  sessionId: string;
  teamId: string;
  wanted: PullRequestToOpen;
  by: { userId: string; name: string };
  /** An attempt that has said nothing for so long is taken over. */
  staleMs: number;
};

export type AttemptRef = { id: string; attempt: number };

type BegunPullRequest =
  | ({ outcome: 'begun' } & AttemptRef)
  /** Another attempt is at it, since then. */
  | { outcome: 'opening'; by: string; since: Date }
  | { outcome: 'open'; pullRequest: PullRequest; wanted: PullRequestToOpen };

/** What an attempt opens, and as whom. */
export type PullRequestAttempt = { sessionId: string; teamId: string; userId: string; wanted: PullRequestToOpen };

/** The short facts of one that was opened. */
type OpenedAtHost = {
  kind: GitHostKind;
  number: number;
  url: string;
  state: PullRequestReading['state'];
  base: string;
};

type CurrentRow = Pick<
  PullRequestRow,
  | 'id'
  | 'status'
  | 'attempt'
  | 'attempt_since'
  | 'opened_by_id'
  | 'opened_by_name'
  | 'wanted'
  | 'kind'
  | 'number'
  | 'url'
  | 'reading'
  | 'notice'
  | 'read_at'
  | 'read_error'
> & { status: PullRequestStatus };
const CURRENT_COLUMNS =
  'id, status, attempt, attempt_since, opened_by_id, opened_by_name, wanted, kind, number, url, reading, notice, read_at, read_error';

/**
 * Sessions' pull requests. The row is there before a host is asked for anything; what an attempt writes carries its
 * number, so that one that was given up changes nothing.
 */
export class PullRequestRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /**
   * Makes the session's row, or takes over an attempt that failed or is older than `staleMs`, or puts a new one in the
   * place of one that is merged or closed. Of calls side by side one is `begun`.
   */
  async begin({ sessionId, teamId, wanted, by, staleMs }: NewPullRequest): Promise<BegunPullRequest> {
    return inTransaction(this.database.pool, async (tx) => {
      await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('pull_request/' || $1, 0))", [sessionId]);
      const { rows } = await tx.query<CurrentRow & { is_fresh: boolean }>(
        `SELECT ${CURRENT_COLUMNS}, attempt_since > now() - make_interval(secs => $2 / 1000.0) AS is_fresh
         FROM pull_request WHERE current_slot = $1`,
        [sessionId, staleMs],
      );
      const [current] = rows;
      const content = [JSON.stringify(wanted), by.userId, storableText(by.name)];
      if (current?.status === 'opened') {
        const pullRequest = pullRequestFromRow(current);
        if (pullRequest.state === 'open') return { outcome: 'open', pullRequest, wanted: current.wanted };
        await tx.query('UPDATE pull_request SET current_slot = NULL WHERE id = $1', [current.id]);
      } else if (current) {
        if (current.status === 'opening' && current.is_fresh)
          return { outcome: 'opening', by: current.opened_by_name, since: current.attempt_since };
        await tx.query(
          `UPDATE pull_request SET status = 'opening', attempt = attempt + 1, attempt_since = now(), notice = NULL, wanted = $2,
            opened_by_id = $3, opened_by_name = $4 WHERE id = $1`,
          [current.id, ...content],
        );
        return { outcome: 'begun', id: current.id, attempt: current.attempt + 1 };
      }
      const id = newId('pullRequest');
      await tx.query(
        `INSERT INTO pull_request (id, session_id, team_id, current_slot, wanted, opened_by_id, opened_by_name)
         VALUES ($1, $2, $3, $2, $4, $5, $6)`,
        [id, sessionId, teamId, ...content],
      );
      return { outcome: 'begun', id, attempt: 1 };
    });
  }

  /** Null: the attempt was taken over, or has come to its end. */
  async findAttempt({ id, attempt }: AttemptRef): Promise<PullRequestAttempt | null> {
    const { rows } = await this.database.pool.query<
      Pick<PullRequestRow, 'session_id' | 'team_id' | 'opened_by_id' | 'wanted'>
    >(
      `SELECT session_id, team_id, opened_by_id, wanted FROM pull_request
       WHERE id = $1 AND attempt = $2 AND status = 'opening'`,
      [id, attempt],
    );
    const [row] = rows;
    return row
      ? { sessionId: row.session_id, teamId: row.team_id, userId: row.opened_by_id, wanted: row.wanted }
      : null;
  }

  /**
   * The host has it, which the audit log shows from then on. Also where the attempt counts as failed by now; false
   * where another one has begun or completed.
   */
  async complete({ id, attempt }: AttemptRef, { kind, number, url, state, base }: OpenedAtHost): Promise<boolean> {
    return inTransaction(this.database.pool, async (tx) => {
      const { rows } = await tx.query<
        Pick<PullRequestRow, 'session_id' | 'team_id' | 'opened_by_id' | 'opened_by_name'>
      >(
        `UPDATE pull_request SET status = 'opened', kind = $3, number = $4, url = $5,
         wanted = jsonb_set(wanted::jsonb, '{base}', to_jsonb($7::text))::json, reading = json_build_object(
         'title', wanted->>'title', 'state', $6::text, 'draft', (wanted->>'draft')::boolean, 'checks', '[]'::json,
         'reviews', '[]'::json)
       WHERE id = $1 AND attempt = $2 AND status <> 'opened'
       RETURNING session_id, team_id, opened_by_id, opened_by_name`,
        [id, attempt, kind, number, url, state, base],
      );
      const [row] = rows;
      if (!row) return false;
      await insertAuditEntry(tx, {
        teamId: row.team_id,
        userId: row.opened_by_id,
        userName: row.opened_by_name,
        action: 'session:pull-request',
        object: row.session_id,
        detail: { number, url },
      });
      return true;
    });
  }

  /** What the host did not do although it opened it. */
  async keepNotice(id: string, notice: string): Promise<void> {
    await this.database.pool.query('UPDATE pull_request SET notice = $2 WHERE id = $1', [id, storableText(notice)]);
  }

  /** The host refused it, or was not asked: the next attempt need not wait. */
  async fail({ id, attempt }: AttemptRef): Promise<void> {
    await this.database.pool.query(
      "UPDATE pull_request SET status = 'failed' WHERE id = $1 AND attempt = $2 AND status = 'opening'",
      [id, attempt],
    );
  }

  /** The session's pull request, as it was last read. Null: none was opened. */
  async findOpened(sessionId: string): Promise<(PullRequest & { id: string }) | null> {
    const { rows } = await this.database.pool.query<CurrentRow>(
      `SELECT ${CURRENT_COLUMNS} FROM pull_request WHERE current_slot = $1 AND status = 'opened'`,
      [sessionId],
    );
    return rows[0] ? { id: rows[0].id, ...pullRequestFromRow(rows[0]) } : null;
  }

  /** True: the caller asks the host now, and no one else does within `everyMs`. */
  async claimReading(id: string, everyMs: number): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE pull_request SET read_claimed_at = now() WHERE id = $1 AND status = 'opened'
         AND (read_claimed_at IS NULL OR read_claimed_at <= now() - make_interval(secs => $2 / 1000.0))`,
      [id, everyMs],
    );
    return rowCount === 1;
  }

  /** Who claimed it could not read it with what they have: the next one may try at once. */
  async releaseReading(id: string): Promise<void> {
    await this.database.pool.query('UPDATE pull_request SET read_claimed_at = NULL WHERE id = $1', [id]);
  }

  async keepReading(id: string, reading: PullRequestReading): Promise<void> {
    await this.database.pool.query(
      'UPDATE pull_request SET reading = $2, read_at = now(), read_error = NULL WHERE id = $1',
      [id, storableText(JSON.stringify(reading))],
    );
  }

  /** What was read before stays. */
  async keepReadError(id: string, detail: string): Promise<void> {
    await this.database.pool.query('UPDATE pull_request SET read_error = $2 WHERE id = $1', [id, storableText(detail)]);
  }
}

function pullRequestFromRow(row: CurrentRow): PullRequest {
  const { kind, number, url, reading } = row;
  if (kind === null || number === null || url === null || reading === null)
    throw new Error(`pull request ${row.id} is open without its facts`);
  return {
    number,
    url,
    kind,
    ...reading,
    base: row.wanted.base ?? '',
    head: row.wanted.head,
    openedBy: { userId: row.opened_by_id, name: row.opened_by_name },
    notice: row.notice,
    readAt: row.read_at?.toISOString() ?? null,
    readError: row.read_error,
  };
}
