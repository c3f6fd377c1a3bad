import { Inject, Injectable } from '@nestjs/common';
import type { UsageGroup } from '@chirality/contracts';
import { isTimezone, reportUsage, TeamRepository, type Database } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import type { Response } from 'express';
import type { Principal } from '../auth/principal';
import { problems } from '../problem/problems';
import { DATABASE } from '../server/tokens';
import { chosenTeam } from '../team/chosen-team';
import { teamPolicy } from '../team/team.policy';
import { usageCsv } from './usage-csv';

type UsageQuery = { groupBy: UsageGroup; from?: string | undefined; to?: string | undefined; timezone?: string | undefined; teamId?: string | undefined; format: 'json' | 'csv' };

@Injectable()
export class UsageService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly teams: TeamRepository,
  ) {}

  /** Everybody's for who may see that, else one's own; JSON or, asked for by `format` or Accept, CSV of the same rows. */
  async answer(who: Principal, query: UsageQuery, response: Response): Promise<void> {
    const { id: teamId } = chosenTeam(who, query.teamId);
    if (!teamPolicy.readOwnCost(who, { id: teamId })) throw problems.forbidden('read what was spent');
    const report = await reportUsage(this.database.pool, {
      teamId,
      groupBy: query.groupBy,
      from: query.from === undefined ? null : new Date(query.from),
      to: query.to === undefined ? null : new Date(query.to),
      readerId: who.user.id,
      timezone: await this.zoneOf(who, teamId, query.timezone),
      ...(teamPolicy.readCost(who, { id: teamId }) ? {} : { userId: who.user.id }),
    });
    if (query.format === 'csv') response.type('text/csv').attachment('usage.csv').send(usageCsv(report));
    else response.json(report);
  }

  private async zoneOf(who: Principal, teamId: string, asked: string | undefined): Promise<string> {
    if (asked === undefined) return (await this.teams.findForUser(teamId, who.user.id))?.timezone ?? 'UTC';
    if (!isTimezone(asked)) throw new ProblemError('VALIDATION_FAILED', 'The time zone is not known. Use an IANA name such as Europe/Berlin.');
    return asked;
  }
}
