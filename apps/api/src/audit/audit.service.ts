import { Injectable } from '@nestjs/common';
import { isId, type AuditEntry, type Page } from '@chirality/contracts';
import { AuditRepository } from '@chirality/database';
import type { Principal } from '../auth/principal';
import { cursorOf } from '../http/validate';
import { problems } from '../problem/problems';
import { chosenTeam } from '../team/chosen-team';
import { teamPolicy } from '../team/team.policy';

@Injectable()
export class AuditService {
  constructor(private readonly entries: AuditRepository) {}

  async list(who: Principal, query: { teamId?: string | undefined; projectId?: string | undefined; cursor?: string | undefined; limit: number }): Promise<Page<AuditEntry>> {
    const team = chosenTeam(who, query.teamId);
    if (!teamPolicy.readAudit(who, team)) throw problems.forbidden('read the audit log');
    if (query.projectId !== undefined && !isId('project', query.projectId)) return { data: [], nextCursor: null };
    return this.entries.list(team.id, { ...cursorOf(query), ...(query.projectId ? { projectId: query.projectId } : {}), limit: query.limit });
  }
}
