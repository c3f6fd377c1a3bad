import type {
  Originator,
  Page,
  Permission,
  PermissionDecision,
  PermissionOutcome,
  PushProposalAnswer,
  QuestionAnswer,
} from '@chirality/contracts';
import { maskJson, newId } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { decodeCursor, encodeCursor } from '../connection/page-cursor';
import { storableText } from '../connection/storable-text';
import type { AppendItem } from '../event/append-item';
import type { EventLogWriter } from '../event/event-log-writer';
import { permissionFromRow } from './permission-row';
import { insertSessionRule, resolveOpenPermission, selectAnswers, selectPermissions } from './permission.sql';

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
  /** Null where a rule or time decided. */
  by: { userId: string; name: string } | null;
  resolvedReason: string | null;
  answer: {
    answers?: Record<string, QuestionAnswer>;
    input?: Record<string, unknown>;
    proposal?: PushProposalAnswer;
  } | null;
}

const SCOPES = { allow_once: 'once', allow_pattern: 'pattern', allow_tool: 'tool', deny: null } as const;

export class PermissionRepository {
  constructor(
    private readonly database: Pick<Database, 'pool' | 'prisma'>,
    private readonly log: Pick<EventLogWriter, 'append'>,
  ) {}

  /**
   * The first answer counts: one of any number of calls is `resolved`. The row, its `permission:resolve` event and, for
   * an allowance of the pattern or the tool, the session's rules are committed together. A pattern that the request
   * does not have allows this once.
   */
  async answerPermission(input: PermissionAnswer): Promise<AnswerOutcome> {
    const { sessionId, permissionId, by, originator, decision } = input;
    let resolved: Awaited<ReturnType<typeof resolveOpenPermission>>;
    const item: AppendItem = {
      sessionId,
      fence: null,
      events: [],
      transition: async (tx) => {
        resolved = await resolve(tx, input);
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
        return [{ kind: 'permission:resolve', turn: resolved.turnId, originator, payload }];
      },
    };
    const result = await this.log.append(item);
    if (result.appended && resolved)
      return { outcome: 'resolved', permission: permissionFromRow(resolved), workerId: resolved.workerId };
    const permission = await this.find(sessionId, permissionId);
    return permission ? { outcome: 'already_resolved', permission } : { outcome: 'not_found' };
  }

  /** Null for an unknown id and for one of another session. */
  /** Shows the people of the session that an agent tried to answer. */
  async noteAgentAttempt({ sessionId, turnId }: Permission, originator: Originator, agent: string): Promise<void> {
    const text = `${agent} tried to answer a permission request. Only a person may.`;
    await this.log.append({
      sessionId,
      fence: null,
      events: [
        {
          kind: 'turn:notice',
          turn: turnId,
          originator,
          payload: { level: 'warning', code: 'AGENT_MAY_NOT_APPROVE', text },
        },
      ],
    });
  }

  async find(sessionId: string, permissionId: string): Promise<Permission | null> {
    const row = await this.database.prisma.permission.findFirst({ where: { id: permissionId, sessionId } });
    return row && permissionFromRow(row);
  }

  /** Latest first. */
  async list(
    sessionId: string,
    { status, cursor, limit }: { status?: Permission['status']; cursor?: string; limit: number },
  ): Promise<Page<Permission>> {
    const from = decodeCursor(cursor);
    const rows = await selectPermissions(this.database.pool, sessionId, {
      open: status === undefined ? null : status === 'pending',
      from,
      limit: limit + 1,
    });
    const data = rows.slice(0, limit).map(permissionFromRow);
    const last = data.at(-1);
    return { data, nextCursor: rows.length > limit && last ? encodeCursor(last.createdAt, last.id) : null };
  }

  /** What has become of these, for the worker that asked. */
  async readAnswers(permissionIds: string[]): Promise<AnsweredPermission[]> {
    if (permissionIds.length === 0) return [];
    const rows = await selectAnswers(this.database.pool, permissionIds);
    return rows.map((row) => ({
      id: row.id,
      outcome: row.outcome,
      by: row.resolved_by_id === null ? null : { userId: row.resolved_by_id, name: row.resolved_by_name ?? '' },
      resolvedReason: row.resolved_reason,
      answer: row.answer === null ? null : (JSON.parse(row.answer) as AnsweredPermission['answer']),
    }));
  }
}

function resolve(tx: Tx, { sessionId, permissionId, by, decision }: PermissionAnswer) {
  const { answers, input, proposal, reason } = decision;
  return resolveOpenPermission(tx, {
    permissionId,
    sessionId,
    outcome: decision.decision === 'deny' ? 'denied' : 'allowed',
    scope: SCOPES[decision.decision],
    answer: answers || input || proposal ? JSON.stringify({ answers, input, proposal }) : null,
    by,
    reason: reason === undefined ? null : storableText(reason),
  });
}

/** Those that the session does not have yet. */
async function insertRules(
  tx: Tx,
  { sessionId, tool, scope, patterns }: Pick<Permission, 'sessionId' | 'tool' | 'scope' | 'patterns'>,
  by: { userId: string; name: string },
): Promise<void> {
  for (const pattern of scope === 'pattern' ? patterns : [null])
    await insertSessionRule(tx, { id: newId('rule'), sessionId, tool, pattern, by });
}
