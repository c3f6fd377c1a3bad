import type { OnModuleDestroy } from '@nestjs/common';
import type { ScheduleRepository, StoredSchedule } from '@chirality/database';
import { every } from '@chirality/platform';
import { dueTimes } from './due-times';
import type { ScheduleRunner } from './schedule-runner';

const AT_ONCE = 20;

type Parts = {
  schedules: Pick<ScheduleRepository, 'listDue' | 'claim' | 'settle'>;
  runner: Pick<ScheduleRunner, 'run' | 'noteIfPaused'>;
  lookMs: number;
  onError: (error: unknown) => void;
};

/** Starts what is due. Every server does so: the one whose statement moves a schedule on has the run. */
export class ScheduleClock implements OnModuleDestroy {
  private readonly stop: () => void;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: Parts) {
    this.stop = every(
      parts.lookMs,
      () => {
        this.running = this.look();
        return this.running;
      },
      { onError: parts.onError, background: true },
    );
  }

  /** What is due by the database's clock is claimed and started; what has ended is counted. */
  async look(nowMs = Date.now()): Promise<void> {
    for (const ended of await this.parts.schedules.settle()) await this.parts.runner.noteIfPaused(ended);
    for (const schedule of await this.parts.schedules.listDue(AT_ONCE)) {
      try {
        await this.start(schedule, nowMs);
      } catch (error) {
        // One that fails holds up no other.
        this.parts.onError(error);
      }
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.stop();
    await this.running.catch(() => undefined);
  }

  private async start(schedule: StoredSchedule, nowMs: number): Promise<void> {
    const { id, cron, timezone, nextAt } = schedule;
    if (cron === null || nextAt === null) return;
    // The database said that it is due, whatever this machine's clock says.
    const due = dueTimes({ cron, timezone }, nextAt.getTime(), Math.max(nowMs, nextAt.getTime()));
    const claimed = await this.parts.schedules.claim({ id, nextAt }, { ...due, nextAt: due.next });
    if (claimed?.runId != null) await this.parts.runner.run(schedule, claimed.runId);
  }
}
