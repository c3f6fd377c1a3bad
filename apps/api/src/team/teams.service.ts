import { Injectable } from '@nestjs/common';
import type { Page, Team, UpdateTeam } from '@chirality/contracts';
import { isTimezone, TeamRepository } from '@chirality/database';
import { limitsInForce } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';
import { AuditTrail } from '../audit/audit-trail';
import { wholePage } from '../core/http/json-page';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import { refuseBeyond } from '../options/refuse-beyond';

@Injectable()
export class TeamsService {
  constructor(
    private readonly teams: TeamRepository,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal): Promise<Page<Team>> {
    return wholePage((await this.teams.listForUser(who.user.id)).filter(({ id }) => who.roles.has(id)));
  }

  async create(who: Principal, team: { name: string; timezone: string }): Promise<Team> {
    refuseUnknownZone(team.timezone);
    const created = await this.teams.create(team, who.user.id);
    await this.audit.note(who, created.id, {
      action: 'team:create',
      object: created.id,
      detail: { name: created.name },
    });
    return created;
  }

  async get(who: Principal, teamId: string): Promise<Team> {
    const team = await this.teams.findForUser(knownId('team', teamId), who.user.id);
    if (!team) throw problems.notFound('team');
    return team;
  }

  async update(who: Principal, teamId: string, { name, timezone, options, limits }: UpdateTeam): Promise<Team> {
    const team = await this.get(who, teamId);
    if (!teamPolicy.manage(who, team)) throw problems.forbidden('change the team', team.id);
    if (timezone !== undefined) refuseUnknownZone(timezone);
    if (options !== undefined) refuseBeyond(options, limitsInForce({ team: limits ?? team.limits }));
    const settings = {
      ...(name === undefined ? {} : { name }),
      ...(timezone === undefined ? {} : { timezone }),
      ...(options === undefined ? {} : { options }),
    };
    await this.teams.update(team.id, { ...settings, ...(limits === undefined ? {} : { limits }) });
    if (Object.keys(settings).length > 0)
      await this.audit.note(who, team.id, { action: 'team:update', object: team.id, detail: settings });
    if (limits !== undefined && JSON.stringify(limits) !== JSON.stringify(team.limits)) {
      await this.audit.note(who, team.id, {
        action: 'team:limits',
        object: team.id,
        detail: { from: team.limits, to: limits },
      });
    }
    return this.get(who, teamId);
  }
}

function refuseUnknownZone(timezone: string): void {
  if (!isTimezone(timezone))
    throw new ProblemError('VALIDATION_FAILED', 'The time zone is not known. Use an IANA name such as Europe/Berlin.');
}
