import type {
  NewEvent,
  OptionKey,
  Options,
  Originator,
  Page,
  PersonaOrigin,
  Role,
  Session,
} from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { decodeCursor, encodeCursor } from '../connection/page-cursor';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { EventLogWriter } from '../event/event-log-writer';
import type { MembershipRow, SessionRow } from '../generated/rows';
import { joinSharedWorkspace } from '../shared-workspace/shared-workspace.sql';
import { mayNotWorkSql } from './may-not-work';
import { sessionFromRow } from './session-row';
import { NOT_DELETED, selectSeenBy, SESSION_SELECT, type ViewedSessionRow } from './session.sql';

type NewSession = Pick<
  Session,
  'teamId' | 'projectId' | 'ownerId' | 'title' | 'persona' | 'mode' | 'workspace' | 'harness' | 'visibility'
> & {
  options: Options;
  personaOrigin?: PersonaOrigin | null;
  baseNotice?: Session['baseNotice'];
  startedBy?: Session['startedBy'];
  /** No list shows it before its first message; without one it goes after a day. */
  awaitsMessage?: boolean;
};
export type SessionChanges = {
  [Field in 'title' | 'visibility' | 'persona' | 'harness']?: Session[Field] | undefined;
} & {
  /** Replaces all of them. */
  options?: Options | undefined;
  optionChange?: OptionChange | undefined;
};
/** Single options to set beside those that stay; null removes one. */
export type OptionChange = { [K in OptionKey]?: Options[K] | null };
/** Where the persona that a change names came from when it was chosen. */
type Chosen = {
  personaOrigin?: PersonaOrigin | null;
  /** Nothing is changed where the session has this mode by now. */
  unlessMode?: Options['permissionMode'] | undefined;
};

/** What a token narrows lists to. */
export interface ListWithin {
  teamId: string;
  projects?: readonly string[] | undefined;
  sessions?: readonly string[] | undefined;
}

export interface SessionFilter {
  projectId?: string;
  /** Part of the title, in any case. */
  search?: string;
  /** Only those that wait for a person. */
  status?: 'waiting';
  archived: boolean;
  cursor?: string | undefined;
  limit: number;
  within?: ListWithin | undefined;
}

export class SessionRepository {
  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly log: Pick<EventLogWriter, 'append'>,
  ) {}

  /** One with a shared workspace joins that of the project's branch. */
  async create(session: NewSession): Promise<Session> {
    const id = newId('session');
    await inTransaction(this.database.pool, async (tx) => {
      const sharedWorkspaceId =
        session.workspace === 'shared'
          ? await joinSharedWorkspace(tx, { id: newId('sharedWorkspace'), projectId: session.projectId })
          : null;
      await tx.query(
        `INSERT INTO session (id, team_id, project_id, owner_id, title, persona, persona_origin, mode, workspace,
          harness, visibility, options, base_notice, shared_workspace_id, started_by_class, started_by_token,
          awaits_message_since)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
          CASE WHEN $17 THEN now() END)`,
        [
          id,
          session.teamId,
          session.projectId,
          session.ownerId,
          storableText(session.title),
          session.persona,
          session.personaOrigin ?? null,
          session.mode,
          session.workspace,
          session.harness,
          session.visibility,
          JSON.stringify(session.options),
          session.baseNotice ? JSON.stringify(session.baseNotice) : null,
          sharedWorkspaceId,
          session.startedBy?.identityClass ?? 'human',
          session.startedBy?.tokenName ?? null,
          session.awaitsMessage ?? false,
        ],
      );
      await tx.query('INSERT INTO session_cursor (session_id) VALUES ($1)', [id]);
    });
    return (await this.find(id)) as Session;
  }

  /**
   * Null for an unknown id, a deleted session, and one of a team that the person is not in. Whether the person may see
   * it within the team is for the policy to say.
   */
  async findForUser(sessionId: string, userId: string): Promise<{ session: Session; role: Role } | null> {
    const { rows } = await this.database.pool.query<ViewedSessionRow & Pick<MembershipRow, 'role'>>({
      name: 'find_session_for_user',
      text: `SELECT viewed.*, m.role FROM (${SESSION_SELECT} WHERE s.id = $1 AND ${NOT_DELETED}) viewed JOIN membership m
        ON m.team_id = viewed.team_id AND m.user_id = $2`,
      values: [sessionId, userId],
    });
    return rows[0] ? { session: sessionFromRow(rows[0]), role: rows[0].role } : null;
  }

  /** For workers, which act for no viewer. */
  async find(sessionId: string): Promise<Session | null> {
    const { rows } = await this.database.pool.query<ViewedSessionRow>(`${SESSION_SELECT} WHERE s.id = $1`, [sessionId]);
    return rows[0] ? sessionFromRow(rows[0]) : null;
  }

  /** Whether that person may send turns in it as of now. False for an unknown or deleted one. */
  async mayWork(sessionId: string, userId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query({
      name: 'may_work_in_session',
      text: `SELECT 1 FROM session s WHERE s.id = $1 AND NOT ${mayNotWorkSql('s', '$2')}`,
      values: [sessionId, userId],
    });
    return rowCount === 1;
  }

  /** Those of the project that are shared with it and not archived, latest change first, as many as lists show. */
  async listShared(projectId: string): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ id: string }>(
      `SELECT id FROM session WHERE project_id = $1 AND archived_at IS NULL AND visibility <> 'private'
       ORDER BY updated_at DESC LIMIT 500`,
      [projectId],
    );
    return rows.map(({ id }) => id);
  }

  /** The same for several, deleted ones apart; unknown ones are absent. */
  async findAll(sessionIds: string[]): Promise<{ sessions: Session[]; deleted: Session[] }> {
    const { rows } = await this.database.pool.query<ViewedSessionRow & { is_deleted: boolean }>(
      `SELECT viewed.*, NOT (${NOT_DELETED}) AS is_deleted FROM (${SESSION_SELECT} WHERE s.id = ANY($1)) viewed
         JOIN session s ON s.id = viewed.id JOIN project p ON p.id = s.project_id`,
      [sessionIds],
    );
    const of = (isDeleted: boolean) => rows.filter((row) => row.is_deleted === isDeleted).map(sessionFromRow);
    return { sessions: of(false), deleted: of(true) };
  }

  /**
   * What the person may see over all their teams: their own sessions and those shared with a project. Latest change
   * first.
   */
  async listForUser(
    userId: string,
    { projectId, search, status, archived, cursor, limit, within }: SessionFilter,
  ): Promise<Page<Session>> {
    const from = decodeCursor(cursor);
    const rows = await selectSeenBy(this.database.pool, userId, {
      archived,
      projectId: projectId ?? null,
      title: search ? `%${storableText(search).replace(/[\\%_]/g, '\\$&')}%` : null,
      from,
      liveStatus: status === 'waiting' ? 'awaiting_permission' : null,
      limit: limit + 1,
      teamId: within?.teamId ?? null,
      projects: within?.projects ?? null,
      sessions: within?.sessions ?? null,
    });
    const data = rows.slice(0, limit).map(sessionFromRow);
    const last = data.at(-1);
    return { data, nextCursor: rows.length > limit && last ? encodeCursor(last.updatedAt, last.id) : null };
  }

  /**
   * Applies the changes and announces them as `session:update` in the same commit, with all options where one changed.
   * Null for an unknown or archived session.
   */
  async update(
    sessionId: string,
    { optionChange, ...changes }: SessionChanges,
    originator: Originator,
    { personaOrigin = null, unlessMode }: Chosen = {},
  ): Promise<Session | null> {
    const announcing = (announced: SessionChanges): NewEvent[] => [
      { kind: 'session:update', turn: null, originator, payload: { changes: announced } },
    ];
    const result = await this.log.append({
      sessionId,
      fence: null,
      events: announcing(changes),
      transition: async (tx) => {
        const before = optionChange && (await lockOptions(tx, sessionId));
        if (unlessMode !== undefined && before?.permissionMode === unlessMode) return false;
        const options = before ? mergedOptions(before, optionChange) : changes.options;
        const { rowCount } = await tx.query(
          `UPDATE session SET title = coalesce($2, title), visibility = coalesce($3, visibility),
             harness = coalesce($8, harness),
             options = coalesce($4::json, options),
             persona = CASE WHEN $5 THEN $6 ELSE persona END,
             persona_origin = CASE WHEN $5 THEN $7 ELSE persona_origin END, updated_at = now()
           WHERE id = $1 AND archived_at IS NULL AND EXISTS (SELECT 1 FROM project p WHERE p.id = session.project_id
             AND p.archived_at IS NULL)`,
          [
            sessionId,
            changes.title === undefined ? null : storableText(changes.title),
            changes.visibility ?? null,
            options === undefined ? null : JSON.stringify(options),
            changes.persona !== undefined,
            changes.persona ?? null,
            personaOrigin,
            changes.harness ?? null,
          ],
        );
        return rowCount === 1 && announcing({ ...changes, ...(options && { options }) });
      },
    });
    return result.appended ? this.find(sessionId) : null;
  }

  /**
   * No turn is accepted from now on; `session:end` announces it. Usage, events and audit stay. False when it was
   * archived before.
   */
  async archive(sessionId: string, originator: Originator): Promise<boolean> {
    const result = await this.log.append({
      sessionId,
      fence: null,
      events: [{ kind: 'session:end', turn: null, originator, payload: { reason: 'user' } }],
      transition: async (tx) => {
        const { rowCount } = await tx.query(
          'UPDATE session SET archived_at = now(), updated_at = now() WHERE id = $1 AND archived_at IS NULL',
          [sessionId],
        );
        return rowCount === 1;
      },
    });
    return result.appended;
  }

  /**
   * Takes turns again, with everything that was there, also when it was deleted; messages that waited wait until a
   * person resumes the queue. `session:update` announces it. False when it is not archived, or its project is, or it is
   * gone for good.
   */
  async restore(sessionId: string, originator: Originator): Promise<boolean> {
    const result = await this.log.append({
      sessionId,
      fence: null,
      events: [{ kind: 'session:update', turn: null, originator, payload: { changes: { archived: false } } }],
      transition: async (tx) => {
        const { rowCount } = await tx.query(
          `UPDATE session SET archived_at = NULL, deleted_at = NULL, deleted_by_id = NULL, deleted_by_name = NULL,
             updated_at = now(), queue_paused = coalesce(queue_paused, 'stopped')
           WHERE id = $1 AND archived_at IS NOT NULL AND purged_at IS NULL
             AND EXISTS (SELECT 1 FROM project p WHERE p.id = session.project_id AND p.archived_at IS NULL)`,
          [sessionId],
        );
        return rowCount === 1;
      },
    });
    return result.appended;
  }
}

/** Nothing else changes them until the transaction ends. */
async function lockOptions(tx: Tx, sessionId: string): Promise<Options | undefined> {
  const { rows } = await tx.query<Pick<SessionRow, 'options'>>(
    'SELECT options FROM session WHERE id = $1 FOR NO KEY UPDATE',
    [sessionId],
  );
  return rows[0]?.options;
}

/** Not in SQL, whose JSON functions refuse texts with a zero character, which the column holds. */
function mergedOptions(before: Options, change: OptionChange): Options {
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null));
}
