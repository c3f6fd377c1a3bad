import type { AuditEntry, Page } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';

export interface NewAuditEntry {
  teamId: string | null;
  userId: string | null;
  userName: string | null;
  /** `noun:verb` */
  action: string;
  /** The id of what was acted upon. */
  object: string;
  /** Masked already. */
  detail?: Record<string, unknown>;
}

/** Append-only: there is no way here to change or remove an entry. */
export class AuditRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /** With `tx`, in the transaction of the act itself. */
  async record(entry: NewAuditEntry, tx: Tx = this.database.pool): Promise<void> {
    const { teamId, userId, userName, action, object, detail = {} } = entry;
    await tx.query({
      name: 'record_audit',
      text: 'INSERT INTO audit_entry (id, team_id, user_id, user_name, action, object, detail) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      values: [
        newId('audit'),
        teamId,
        userId,
        userName === null ? null : storableText(userName),
        action,
        storableText(object),
        JSON.stringify(detail),
      ],
    });
  }

  /** Latest first. `projectId`: acts on that project, and those whose detail names it. */
  async list(teamId: string, { cursor, limit, projectId }: { cursor?: string; limit: number; projectId?: string }): Promise<Page<AuditEntry>> {
    const rows = await this.database.prisma.auditEntry.findMany({
      where: {
        teamId,
        ...(cursor === undefined ? {} : { id: { lt: cursor } }),
        ...(projectId === undefined ? {} : { OR: [{ object: projectId }, { detail: { contains: `"projectId":"${projectId}"` } }] }),
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
