import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { UsageGroup, UsageReport, UsageSeries, usageSeriesQuerySchema } from '@chirality/contracts';
import {
  DATABASE,
  isTimezone,
  reportUsage,
  reportUsageSeries,
  TeamRepository,
  type Database,
  type UsageReportRequest,
} from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import type { Response } from 'express';
import type { z } from 'zod';
import { chosenTeam } from '../access/chosen-team';
import type { Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';
import { problems } from '../core/problem/problems';
import { usageCsvHead, usageCsvRows } from './usage-csv';

const CSV_PAGE_ROWS = 2_000;

type UsageQuery = {
  groupBy: UsageGroup;
  from?: string | undefined;
  to?: string | undefined;
  timezone?: string | undefined;
  teamId?: string | undefined;
  projectId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
  format: 'json' | 'csv';
};

@Injectable()
export class UsageService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly teams: TeamRepository,
  ) {}

  /**
   * Everyone's for a user who may see that, else their own; JSON or, asked for by `format` or Accept, CSV of the same
   * rows.
   */
  async answer(who: Principal, query: UsageQuery, response: Response): Promise<void> {
    if (query.format === 'csv') await this.sendCsv(await this.requestOf(who, query), response);
    else response.json(await this.report(who, query));
  }

  /** A page of the report. */
  async report(who: Principal, query: Omit<UsageQuery, 'format'>): Promise<UsageReport> {
    return reportUsage(this.database.pool, {
      ...(await this.requestOf(who, query)),
      limit: query.limit,
      ...(query.cursor !== undefined && { cursor: query.cursor }),
    });
  }

  /** The same usage as the report's, over time. */
  async series(who: Principal, query: z.infer<typeof usageSeriesQuerySchema>): Promise<UsageSeries> {
    return reportUsageSeries(this.database.pool, {
      ...(await this.scopeOf(who, query)),
      stackBy: query.stackBy,
      readerId: who.user.id,
      now: new Date(),
    });
  }

  private async requestOf(who: Principal, query: Omit<UsageQuery, 'format'>): Promise<UsageReportRequest> {
    return { ...(await this.scopeOf(who, query)), groupBy: query.groupBy, readerId: who.user.id };
  }

  /** Which usage this person may read of what they ask for. */
  private async scopeOf(who: Principal, query: Pick<UsageQuery, 'from' | 'to' | 'timezone' | 'teamId' | 'projectId'>) {
    const { id: teamId } = chosenTeam(who, query.teamId);
    if (!teamPolicy.readOwnCost(who, { id: teamId })) throw problems.forbidden('read what was spent', teamId);
    return {
      teamId,
      from: query.from === undefined ? null : new Date(query.from),
      to: query.to === undefined ? null : new Date(query.to),
      ...(query.projectId !== undefined && { projectId: query.projectId }),
      timezone: await this.zoneOf(who, teamId, query.timezone),
      ...(teamPolicy.readCost(who, { id: teamId }) ? {} : { userId: who.user.id }),
    };
  }

  /** Page by page, so that a report of years never is in memory whole. */
  private async sendCsv(request: UsageReportRequest, response: Response): Promise<void> {
    const first = await reportUsage(this.database.pool, { ...request, limit: CSV_PAGE_ROWS });
    response.type('text/csv').attachment('usage.csv');
    await pipeline(Readable.from(this.csvOf(first, request)), response).catch((error: NodeJS.ErrnoException) => {
      // The reader has left.
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  }

  private async *csvOf(first: UsageReport, request: UsageReportRequest): AsyncGenerator<string> {
    yield usageCsvHead;
    for (let page = first; ;) {
      yield usageCsvRows(page);
      if (page.nextCursor === null) return;
      page = await reportUsage(this.database.pool, { ...request, limit: CSV_PAGE_ROWS, cursor: page.nextCursor });
    }
  }

  private async zoneOf(who: Principal, teamId: string, asked: string | undefined): Promise<string> {
    if (asked === undefined) return (await this.teams.findForUser(teamId, who.user.id))?.timezone ?? 'UTC';
    if (!isTimezone(asked))
      throw new ProblemError(
        'VALIDATION_FAILED',
        'The time zone is not known. Use an IANA name such as Europe/Berlin.',
      );
    return asked;
  }
}
