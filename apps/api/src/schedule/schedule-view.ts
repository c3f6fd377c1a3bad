import { Inject, Injectable } from '@nestjs/common';
import type { Schedule, ScheduleRun } from '@chirality/contracts';
import type { StoredSchedule } from '@chirality/database';
import { CONFIG, type Config } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { nextTimes } from './cron-times';
import { cronWords } from './cron-words';

const PREVIEWED = 5;

/** What a member of the project sees of its schedules: of sessions, those that they may read. */
@Injectable()
export class ScheduleView {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sessions: SessionAccess,
  ) {}

  async show(who: Principal, stored: readonly StoredSchedule[]): Promise<Schedule[]> {
    const named = stored.flatMap(({ sessionId, lastRun }) => [sessionId, lastRun?.sessionId]);
    const readable = await this.sessions.readableOf(
      who,
      named.flatMap((id) => id ?? []),
    );
    return stored.map((one) => this.shown(one, readable));
  }

  async showRuns(who: Principal, runs: readonly ScheduleRun[]): Promise<ScheduleRun[]> {
    const readable = await this.sessions.readableOf(
      who,
      runs.flatMap(({ sessionId }) => sessionId ?? []),
    );
    return runs.map((run) => shownRun(run, readable));
  }

  urlOf(scheduleId: string): string {
    return `${this.config.publicUrl}/v1/triggers/${scheduleId}`;
  }

  private shown(stored: StoredSchedule, readable: ReadonlySet<string>): Schedule {
    const { sessionId, createdAt, nextAt, triggerGeneration, lastRun, isSuspended: _suspended, ...rest } = stored;
    return {
      ...rest,
      words: cronWords(stored.cron, stored.timezone),
      session: sessionId === null ? 'new' : readable.has(sessionId) ? sessionId : null,
      createdAt: createdAt.toISOString(),
      status: stored.pausedBecause === null ? 'active' : 'paused',
      next: stored.cron === null || nextAt === null ? [] : isoTimes(stored.cron, stored.timezone),
      triggerUrl: triggerGeneration === 0 ? null : this.urlOf(stored.id),
      lastRun: lastRun && shownRun(lastRun, readable),
    };
  }
}

/** The next times of an expression, as many as pages show. */
export function isoTimes(cron: string, timezone: string): string[] {
  return nextTimes(cron, timezone, Date.now(), PREVIEWED).map((at) => new Date(at).toISOString());
}

function shownRun(run: ScheduleRun, readable: ReadonlySet<string>): ScheduleRun {
  return run.sessionId === null || readable.has(run.sessionId) ? run : { ...run, sessionId: null, turnId: null };
}
