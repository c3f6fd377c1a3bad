import type { Options, ProjectSource, ResolvedOptions, ResolvedPersona, Session, Turn } from '@chirality/contracts';
import { nextStatus } from '@chirality/domain';
import type { Tx } from '../connection/database';
import { LAST_RUN_FENCE } from '../session/last-run-fence';
import { queueOrderSql } from './queue-order';

/** What a worker needs to begin a turn that is now its own. */
export interface ClaimedTurn {
  id: string;
  sessionId: string;
  teamId: string;
  projectId: string;
  kind: Turn['kind'];
  attempt: number;
  /** Every write to the session's log for this turn carries it. */
  fence: bigint;
  author: Turn['author'];
  /** Masked; what is sent to the model is in the cipher. */
  message: string;
  messageCipher: Buffer;
  options: ResolvedOptions;
  /** As it was resolved when the turn was accepted; whatever the session has now. */
  persona: ResolvedPersona | null;
  queuedAt: Date;
  startedAt: Date;
  /** Whether other turns waited in the queue at that moment, for whomever. */
  othersQueued: boolean;
  session: Pick<Session, 'ownerId' | 'title' | 'mode' | 'workspace' | 'harness' | 'visibility' | 'claudeSessionId' | 'bootFingerprint'> & {
    options: Options;
    bootedAt: Date | null;
    /** The stored state of transcript and workspace, and its blob; null while nothing was stored. */
    stateVersion: number;
    stateKey: string | null;
    /** The highest fence of a turn that had a process and is over; null when there was none. */
    lastRunFence: bigint | null;
    /** The worker that held the session before this claim; it is now the claimer. */
    previousHolderId: string | null;
  };
  project: {
    id: string;
    name: string;
    source: ProjectSource;
    bundleKey: string | null;
    createdAt: Date;
    /** What its sandboxes may reach: hosts through the proxy, and the search of the model's service. */
    egress: { hosts: string[]; webSearch: boolean };
    setupScript: string | null;
    hasVariables: boolean;
  };
}

/** Whose lease is good: another such worker keeps the sessions that it holds. */
const live = (worker: string) => `${worker}.stopped_at IS NULL AND ${worker}.lease_expires_at > now()`;

/**
 * The row lock on the turn decides between claimers, and the status is looked at again under it. In one statement: the
 * turn is taken, the session's fence rises, and the claimer becomes the holder. A turn that the claimer was given
 * without hearing of it, because the answer was lost, comes before the queue; it is only read, so that a statement of a
 * connection that was given up takes nothing away from a claim that came after it.
 */
const CLAIM_SQL = `
WITH picked AS MATERIALIZED (
  SELECT t.id, t.session_id, CASE WHEN t.status = 'queued' THEN 1 ELSE 0 END AS fence_rise
  FROM turn t
  JOIN session s ON s.id = t.session_id
  JOIN worker me ON me.id = $1 AND ${live('me')} AND NOT me.draining
  LEFT JOIN (${queueOrderSql()}) q ON q.id = t.id
  WHERE t.active_session_id IS NOT NULL AND (
    (t.status = 'queued' AND NOT EXISTS (SELECT 1 FROM worker other WHERE other.id = s.holder_worker_id AND other.id <> $1 AND ${live('other')}))
    OR (t.status = $2 AND t.worker_id = $1 AND t.started_at >= me.started_at AND t.id <> ALL ($3::text[]))
  )
  ORDER BY q.position NULLS FIRST LIMIT 1
  FOR UPDATE OF t SKIP LOCKED
), fenced AS (
  UPDATE session_cursor c SET fence = c.fence + picked.fence_rise FROM picked WHERE c.session_id = picked.session_id RETURNING c.session_id, c.fence
), claimed AS (
  UPDATE turn t SET status = $2, attempt = 1, fence = fenced.fence, worker_id = $1, started_at = coalesce(t.started_at, now())
  FROM picked JOIN fenced ON fenced.session_id = picked.session_id
  WHERE t.id = picked.id
  RETURNING t.*
), held AS (
  UPDATE session SET holder_worker_id = $1 FROM picked WHERE session.id = picked.session_id AND holder_worker_id IS DISTINCT FROM $1
)
SELECT t.id, t.session_id, t.team_id, s.project_id, t.kind, t.attempt, t.fence, t.author_id, t.author_name, t.author_class, t.message,
  t.message_cipher, t.options, t.persona, t.queued_at, t.started_at, s.owner_id, s.title, s.mode, s.workspace, s.harness, s.visibility,
  s.options AS session_options, s.claude_session_id, s.boot_fingerprint, s.booted_at, s.state_version, s.state_key, s.holder_worker_id,
  p.name AS project_name, p.created_at AS project_created_at, p.source AS project_source, p.bundle_key, p.egress_hosts, p.web_search, p.setup_script,
  EXISTS (SELECT 1 FROM project_variable v WHERE v.project_id = p.id) AS has_variables,
  EXISTS (SELECT 1 FROM turn other WHERE other.status = 'queued' AND other.id <> t.id) AS others_queued, ${LAST_RUN_FENCE} AS last_run_fence
FROM claimed t JOIN session s ON s.id = t.session_id JOIN project p ON p.id = s.project_id`;

interface ClaimRow {
  id: string;
  session_id: string;
  team_id: string;
  project_id: string;
  kind: Turn['kind'];
  attempt: number;
  fence: string;
  author_id: string;
  author_name: string;
  author_class: Turn['author']['identityClass'];
  message: string;
  message_cipher: Buffer;
  options: string;
  queued_at: Date;
  started_at: Date;
  owner_id: string;
  title: string;
  persona: string | null;
  mode: Session['mode'];
  workspace: Session['workspace'];
  harness: Session['harness'];
  visibility: Session['visibility'];
  session_options: Options;
  claude_session_id: string | null;
  boot_fingerprint: string | null;
  booted_at: Date | null;
  state_version: number;
  state_key: string | null;
  holder_worker_id: string | null;
  project_name: string;
  project_created_at: Date;
  project_source: ProjectSource;
  bundle_key: string | null;
  others_queued: boolean;
  last_run_fence: string | null;
  egress_hosts: string[] | null;
  web_search: boolean;
  setup_script: string | null;
  has_variables: boolean;
}

/**
 * Takes the next turn of the queue for that worker, or answers null: none is waiting that it may take, or its own lease
 * is not good. Two claimers never get the same turn. `known` are the turns that this worker was given before; it must
 * not have another claim under way.
 */
export async function claimNextTurn(tx: Tx, { workerId, known }: { workerId: string; known: string[] }): Promise<ClaimedTurn | null> {
  const { rows } = await tx.query<ClaimRow>({ name: 'claim_turn', text: CLAIM_SQL, values: [workerId, nextStatus('queued', 'claim'), known] });
  return rows[0] ? claimedFromRow(rows[0]) : null;
}

function claimedFromRow(row: ClaimRow): ClaimedTurn {
  return {
    id: row.id,
    sessionId: row.session_id,
    teamId: row.team_id,
    projectId: row.project_id,
    kind: row.kind,
    attempt: row.attempt,
    fence: BigInt(row.fence),
    author: { userId: row.author_id, name: row.author_name, identityClass: row.author_class },
    message: JSON.parse(row.message) as string,
    messageCipher: row.message_cipher,
    options: JSON.parse(row.options) as ResolvedOptions,
    persona: row.persona === null ? null : (JSON.parse(row.persona) as ResolvedPersona),
    queuedAt: row.queued_at,
    startedAt: row.started_at,
    othersQueued: row.others_queued,
    session: {
      ownerId: row.owner_id,
      title: row.title,
      mode: row.mode,
      workspace: row.workspace,
      harness: row.harness,
      visibility: row.visibility,
      options: row.session_options,
      claudeSessionId: row.claude_session_id,
      bootFingerprint: row.boot_fingerprint,
      bootedAt: row.booted_at,
      stateVersion: row.state_version,
      stateKey: row.state_key,
      lastRunFence: row.last_run_fence === null ? null : BigInt(row.last_run_fence),
      previousHolderId: row.holder_worker_id,
    },
    project: {
      id: row.project_id,
      name: row.project_name,
      source: row.project_source,
      bundleKey: row.bundle_key,
      createdAt: row.project_created_at,
      egress: { hosts: row.egress_hosts ?? [], webSearch: row.web_search },
      setupScript: row.setup_script,
      hasVariables: row.has_variables,
    },
  };
}
