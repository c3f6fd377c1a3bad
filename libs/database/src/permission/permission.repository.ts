import type {
  Originator,
  Page,
  Permission,
  PermissionDecision,
  PermissionOutcome,
  QuestionAnswer,
} from '@chirality/contracts';
import { maskJson, newId } from '@chirality/domain';
import type { Tx } from '../connection/database';
import { decodeCursor, encodeCursor } from '../connection/page-cursor';
import { storableText } from '../connection/storable-text';
import type { AppendItem } from '../event/append-item';
import type { EventLogWriter } from '../event/event-log-writer';
import { permissionFromRow, type PermissionRow } from './permission-row';

export interface PermissionAnswer {
  sessionId: string;
  permissionId: string;
  by: { userId: string; name: string };
  originator: Originator;
  /** Its reason masked already; the answers and the input as the program shall get them. */
  decision: PermissionDecision;
}

type AnswerOutcome =
  /** `workerId`: whom to signal; the row is what counts. */
  | { outcome: 'resolved'; permission: Permission; workerId: string | null }
  /** Another answer was first, or the turn has ended. */
  | { outcome: 'already_resolved'; permission: Permission }
  | { outcome: 'not_found' };

/** How an answer reaches the process that waits for it. */
export interface AnsweredPermission {
  id: string;
  outcome: PermissionOutcome | null;
  /** False where a rule or time decided. */
  byPerson: boolean;
  resolvedReason: string | null;
  answer: { answers?: Record<string, QuestionAnswer>; input?: Record<string, unknown> } | null;
}

const SCOPES = { allow_once: 'once', allow_pattern: 'pattern', allow_tool: 'tool', deny: null } as const;

export class PermissionRepository {
  constructor(
    private readonly database: { pool: Tx },
    private readonly log: Pick<EventLogWriter, 'append'>,
  ) {}

  /**
   * The first answer counts: one of any number of calls is `resolved`. The row, its `permission:resolve` event and, for
   * an allowance of the pattern or the tool, the session's rules are committed together. A pattern that the request
   * does not have allows this once.
   */
  async answerPermission(input: PermissionAnswer): Promise<AnswerOutcome> {
    const { sessionId, permissionId, by, originator, decision } = input;
    let resolved: (PermissionRow & { worker_id: string | null }) | undefined;
    const item: AppendItem = {
      sessionId,
      fence: null,
      events: [],
      transition: async (tx) => {
        resolved = await this.resolveRow(tx, input);
        if (!resolved) return false;
        const { scope, outcome } = resolved;
        if (outcome === 'allowed' && (scope === 'pattern' || scope === 'tool')) await insertRules(tx, resolved, by);
        const payload = {
          permissionId,
          outcome: outcome as PermissionOutcome,
          ...(scope ? { scope } : {}),
          by: { userId: by.userId, name: by.name },
          ...(decision.reason === undefined ? {} : { reason: decision.reason }),
          ...(outcome === 'allowed' && decision.answers ? { answers: maskJson(decision.answers) } : {}),
        };
        return [{ kind: 'permission:resolve', turn: resolved.turn_id, originator, payload }];
      },
    };
    const result = await this.log.append(item);
    if (result.appended && resolved)
      return { outcome: 'resolved', permission: permissionFromRow(resolved), workerId: resolved.worker_id };
    const permission = await this.find(sessionId, permissionId);
    return permission ? { outcome: 'already_resolved', permission } : { outcome: 'not_found' };
  }

  /** Null for an unknown id and for one of another session. */
  async find(sessionId: string, permissionId: string): Promise<Permission | null> {
    const { rows } = await this.database.pool.query<PermissionRow>(
      'SELECT * FROM permission WHERE id = $1 AND session_id = $2',
      [permissionId, sessionId],
    );
    return rows[0] ? permissionFromRow(rows[0]) : null;
  }

  /** Latest first. */
  async list(
    sessionId: string,
    { status, cursor, limit }: { status?: Permission['status']; cursor?: string; limit: number },
  ): Promise<Page<Permission>> {
    const from = decodeCursor(cursor);
    const { rows } = await this.database.pool.query<PermissionRow>(
      `SELECT * FROM permission WHERE session_id = $1 AND ($2::boolean IS NULL OR (outcome IS NULL) = $2)
         AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4))
       ORDER BY created_at DESC, id DESC LIMIT $5`,
      [sessionId, status === undefined ? null : status === 'pending', from?.at ?? null, from?.id ?? null, limit + 1],
    );
    const data = rows.slice(0, limit).map(permissionFromRow);
    const last = data.at(-1);
    return { data, nextCursor: rows.length > limit && last ? encodeCursor(last.createdAt, last.id) : null };
  }

  /** What has become of these, for the worker that asked. */
  async readAnswers(permissionIds: string[]): Promise<AnsweredPermission[]> {
    if (permissionIds.length === 0) return [];
    const { rows } = await this.database.pool.query<PermissionRow>('SELECT * FROM permission WHERE id = ANY($1)', [
      permissionIds,
    ]);
    return rows.map((row) => ({
      id: row.id,
      outcome: row.outcome,
      byPerson: row.resolved_by_id !== null,
      resolvedReason: row.resolved_reason,
      answer: row.answer === null ? null : (JSON.parse(row.answer) as AnsweredPermission['answer']),
    }));
  }

  private async resolveRow(tx: Tx, { sessionId, permissionId, by, decision }: PermissionAnswer) {
    const { answers, input, reason } = decision;
    const { rows } = await tx.query<PermissionRow & { worker_id: string | null }>(
      `UPDATE permission p
       SET outcome = $3, scope = CASE WHEN $4 = 'pattern' AND cardinality(p.patterns) = 0 THEN 'once' ELSE $4 END, answer = $5,
         resolved_by_id = $6, resolved_by_name = $7, resolved_reason = $8, resolved_at = now()
       FROM turn t
       WHERE p.id = $1 AND p.session_id = $2 AND p.outcome IS NULL AND t.id = p.turn_id
       RETURNING p.*, t.worker_id`,
      [
        permissionId,
        sessionId,
        decision.decision === 'deny' ? 'denied' : 'allowed',
        SCOPES[decision.decision],
        answers || input ? JSON.stringify({ answers, input }) : null,
        by.userId,
        by.name,
        reason === undefined ? null : storableText(reason),
      ],
    );
    return rows[0];
  }
}

/** Those that the session does not have yet. */
async function insertRules(tx: Tx, permission: PermissionRow, by: { userId: string; name: string }): Promise<void> {
  const patterns = permission.scope === 'pattern' ? permission.patterns : [null];
  for (const pattern of patterns) {
    await tx.query(
      `INSERT INTO session_rule (id, session_id, tool, pattern, created_by_id, created_by_name) SELECT $1, $2, $3, $4, $5, $6
       WHERE NOT EXISTS (SELECT FROM session_rule WHERE session_id = $2 AND tool = $3 AND pattern IS NOT DISTINCT FROM $4)`,
      [newId('rule'), permission.session_id, permission.tool, pattern, by.userId, by.name],
    );
  }
}
