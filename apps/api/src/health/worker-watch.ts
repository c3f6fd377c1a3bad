import type { WorkerRepository } from '@chirality/database';
import { processStartTime, type Logger } from '@chirality/platform';

const LOOK_EVERY_MS = 1_000;

type Parts = {
  workers: Pick<WorkerRepository, 'listLiveOn' | 'giveUp'>;
  machine: string;
  log: Logger;
  /** Called after workers were given up. */
  onGivenUp: () => void;
  isAlive?: (pid: number) => boolean;
};

/**
 * Looks each second whether the workers of this machine still have their processes. One that was killed has not, long
 * before its lease runs out: its turns are settled at once and everyone can see that it is gone. Of workers elsewhere
 * only the lease speaks.
 */
export class WorkerWatch {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly parts: Parts) {}

  start(): void {
    this.running = this.look().catch((error: Error) => this.parts.log.debug({ err: error }, 'workers.not_looked_at'));
    void this.running.then(() => {
      if (!this.stopped) this.timer = setTimeout(() => this.start(), LOOK_EVERY_MS).unref();
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.running;
  }

  /** One look. Rejects when the database does not answer. */
  async look(): Promise<void> {
    const { workers, machine, log, onGivenUp, isAlive = hasProcess } = this.parts;
    const dead = (await workers.listLiveOn(machine)).filter(({ pid }) => !isAlive(pid));
    const given = await Promise.all(dead.map(({ id, pid }) => workers.giveUp(id, { machine, pid })));
    const gone = dead.filter((_, index) => given[index]).map(({ id }) => id);
    if (gone.length === 0) return;
    log.warn({ workers: gone }, 'workers.gone');
    onGivenUp();
  }
}

/** On a system without /proc nothing is known, so every process counts as alive. */
function hasProcess(pid: number): boolean {
  return processStartTime(pid) !== null || processStartTime(process.pid) === null;
}
