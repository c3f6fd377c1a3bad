import type { EventPayload } from '@chirality/contracts';
import { metrics } from '@chirality/platform';
import type { RunEnd } from '../outcome/run-end';
import type { StopReason } from '../outcome/turn-ending';
import type { TurnPermissions } from '../permission/turn-permissions';
import type { PreparedTurn } from '../prepare/prepared-turn';
import type { LiveProcess, ProcessOrigin } from '../process/live-process';
import type { ActiveTurn } from '../record/active-turn';
import type { ProcessRun } from './process-run';
import type { TurnProgress } from './turn-progress';

/** One process serving a turn, from the message that it is given to the end of what it does with it. */
export class TurnServing {
  constructor(
    private readonly turn: ActiveTurn,
    private readonly prepared: PreparedTurn,
    private readonly live: LiveProcess,
    private readonly origin: ProcessOrigin,
    readonly permissions: TurnPermissions,
    private readonly progress: TurnProgress,
    private readonly run: ProcessRun,
  ) {}

  get lastWords(): EventPayload<'session:complete'> | null {
    return this.progress.lastWords;
  }

  /**
   * Resolves when the process is done with the turn, everything of it is recorded, and every message's usage is stored.
   */
  async serve(): Promise<RunEnd> {
    const { live, origin, prepared } = this;
    const { claimed, timings } = this.turn;
    timings.origin = origin;
    metrics.turnProcesses.inc({ process: origin });
    timings.mark('spawned');
    if (origin === 'cold') live.process.initialize();
    live.process.say(claimed.kind, prepared.message, prepared.blocks);
    const end = await this.run.finished;
    prepared.keepPrompt();
    await this.permissions.close(this.run.unansweredEnd);
    live.process.sandboxed.onProcessLimit = null;
    await this.progress.recorded();
    await live.lease.unbind();
    return end;
  }

  stop(reason: StopReason): void {
    this.run.stop(reason);
  }

  waiting(isWaiting: boolean): void {
    this.run.enter(isWaiting ? 'waiting' : 'running');
  }
}
