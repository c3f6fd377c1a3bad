import { Injectable } from '@nestjs/common';
import { isId, type AuditEntry, type AuditFilter, type Page } from '@chirality/contracts';
import { AuditRepository, type AuditQuery } from '@chirality/database';
import { chosenTeam } from '../access/chosen-team';
import type { Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';
import { cursorOf } from '../core/http/validate';
import { problems } from '../core/problem/problems';

const EXPORT_PAGE = 500;

@Injectable()
export class AuditService {
  constructor(private readonly entries: AuditRepository) {}

  async list(
    who: Principal,
    query: AuditFilter & { cursor?: string | undefined; limit: number },
  ): Promise<Page<AuditEntry>> {
    const teamId = this.readableTeam(who, query.teamId);
    const filter = filterOf(query);
    if (filter === null) return { data: [], nextCursor: null };
    return this.entries.list(teamId, { ...filter, ...cursorOf(query), limit: query.limit });
  }

  /**
   * Every entry that fits, latest first, page by page. Rejects before the first page for a user who may not read them.
   */
  async export(who: Principal, query: AuditFilter): Promise<AsyncIterable<AuditEntry[]>> {
    return this.pages(this.readableTeam(who, query.teamId), filterOf(query));
  }

  private async *pages(teamId: string, filter: Omit<AuditQuery, 'limit'> | null): AsyncIterable<AuditEntry[]> {
    if (filter === null) return;
    let cursor: string | null = null;
    do {
      const page: Page<AuditEntry> = await this.entries.list(teamId, {
        ...filter,
        ...(cursor === null ? {} : { cursor }),
        limit: EXPORT_PAGE,
      });
      yield page.data;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  private readableTeam(who: Principal, teamId: string | undefined): string {
    const team = chosenTeam(who, teamId);
    if (!teamPolicy.readAudit(who, team)) throw problems.forbidden('read the audit log', team.id);
    return team.id;
  }
}

/** Null for what fits no entry: an id of another form. */
function filterOf({ projectId, userId, action, from, to }: AuditFilter): Omit<AuditQuery, 'limit'> | null {
  if (projectId !== undefined && !isId('project', projectId)) return null;
  if (userId !== undefined && !isId('user', userId)) return null;
  return {
    ...(projectId === undefined ? {} : { projectId }),
    ...(userId === undefined ? {} : { userId }),
    ...(action === undefined ? {} : { action }),
    ...(from === undefined ? {} : { from: new Date(from) }),
    ...(to === undefined ? {} : { to: new Date(to) }),
  };
}
