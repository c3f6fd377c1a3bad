import { isId, type AuditAction, type AuditEntry, type Page } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';
import type { MembershipRow, UserRow } from '../generated/rows';

export interface NewAuditEntry {
  teamId: string | null;
  userId: string | null;
  userName: string | null;
  action: AuditAction;
  /** The id of what was acted upon. */
  object: string;
  /** Masked already. */
  detail?: Record<string, unknown>;
}

/** `action`: one of them, or `noun:*`. `from` is in it, `to` is not. */
export interface AuditQuery {
  cursor?: string;
  limit: number;
  projectId?: string;
  userId?: string;
  action?: string;
  from?: Date;
  to?: Date;
}

/** Records an act in the transaction of the act. */
export async function insertAuditEntry(tx: Tx, entry: NewAuditEntry): Promise<void> {
  const { teamId, userId, userName, action, object, detail = {} } = entry;
  await tx.query({
    name: 'record_audit',
    text: `INSERT INTO audit_entry (id, team_id, user_id, user_name, action, object, detail, project_id)
      VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8, (SELECT project_id FROM session WHERE id = $6)))`,
    values: [
      newId('audit'),
      teamId,
      userId,
      userName === null ? null : storableText(userName),
      action,
      storableText(object),
      JSON.stringify(detail),
      projectOf(object, detail),
    ],
  });
}

/** Append-only: there is no way here to change or remove an entry. */
export class AuditRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /** With `tx`, in the transaction of the act itself. */
  async record(entry: NewAuditEntry, tx: Tx = this.database.pool): Promise<void> {
    await insertAuditEntry(tx, entry);
  }

  /** What is done for a user while no one waits for it: by the name that they have now. */
  async recordAs(userId: string, entry: Omit<NewAuditEntry, 'userId' | 'userName'>): Promise<void> {
    const { rows } = await this.database.pool.query<Pick<UserRow, 'name'>>('SELECT name FROM "user" WHERE id = $1', [
      userId,
    ]);
    await this.record({ ...entry, userId, userName: rows[0]?.name ?? null });
  }

  /**
   * What a person did outside of any one team, such as signing in: an entry in each team that they are in now, by the
   * name that they have now; one without a team for a user who is in none.
   */
  async recordForPerson(userId: string, entry: Omit<NewAuditEntry, 'teamId' | 'userId' | 'userName'>): Promise<void> {
    const { rows } = await this.database.pool.query<{
      team_id: MembershipRow['team_id'] | null;
      name: UserRow['name'];
    }>(
      'SELECT m.team_id, u.name FROM "user" u LEFT JOIN membership m ON m.user_id = u.id WHERE u.id = $1 ORDER BY m.team_id',
      [userId],
    );
    const places = rows.length === 0 ? [{ team_id: null, name: null }] : rows;
    for (const { team_id: teamId, name } of places) await this.record({ ...entry, teamId, userId, userName: name });
  }

  /** Latest first. `projectId`: acts on that project and its sessions, and those whose detail names it. */
  async list(
    teamId: string,
    { cursor, limit, projectId, userId, action, from, to }: AuditQuery,
  ): Promise<Page<AuditEntry>> {
    const at = { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) };
    const rows = await this.database.prisma.auditEntry.findMany({
      where: {
        teamId,
        ...(cursor === undefined ? {} : { id: { lt: cursor } }),
        ...(userId === undefined ? {} : { userId }),
        ...(action === undefined
          ? {}
          : { action: action.endsWith(':*') ? { startsWith: action.slice(0, -1) } : action }),
        ...(from === undefined && to === undefined ? {} : { at }),
        ...(projectId === undefined ? {} : { projectId }),
      },
      orderBy: { id: 'desc' },
      take: limit + 1,
    });
    const data = rows.slice(0, limit).map(({ id, at, userId, userName, action, object, detail }) => ({
      id,
      at: at.toISOString(),
      userId,
      userName,
      action,
      object,
      detail: JSON.parse(detail) as Record<string, unknown>,
    }));
    return { data, nextCursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
  }
}

/** The project that an act is about: what it was done to, or what its detail names. Of a session it is looked up. */
function projectOf(object: string, detail: Record<string, unknown>): string | null {
  if (isId('project', object)) return object;
  return typeof detail['projectId'] === 'string' ? detail['projectId'] : null;
}
