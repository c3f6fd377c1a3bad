import type { ForbiddenTurnRepository, TurnRepository } from '@chirality/database';
import type { Messaging } from '@chirality/messaging';
import { every, joined, type Logger } from '@chirality/platform';
import type { TurnScheduler } from '../run/turn-scheduler';

/** How often a worker polls its rows: each second while hints cannot come, seldom while they do. */
const BLIND_LOOK_MS = 1_000;
const SIGHTED_LOOKS = 5;

/**
 * Brings interrupts, answers and changed rules to the turns that run here, and ends those whose author may no longer
 * send any there. All of it is rows; a signal only says "look now". The rows are looked at each second while Redis is
 * away, and every few seconds otherwise, so a lost signal delays and loses nothing.
 */
export class WorkerSignals {
  private rounds = 0;
  private readonly stops: (() => void)[] = [];

  constructor(
    private readonly workerId: string,
    private readonly turns: Pick<TurnRepository, 'readSignals' | 'findUnattendedTurns'>,
    private readonly forbidden: Pick<ForbiddenTurnRepository, 'list'>,
    private readonly messaging: Messaging,
    private readonly scheduler: TurnScheduler,
    private readonly log: Logger,
  ) {}

  start(): void {
    const asked = this.messaging.signals.subscribe(this.workerId, ({ turnId, reason }) => {
      if (reason === 'interrupt') this.scheduler.interrupt(turnId);
      else this.scheduler.find(turnId)?.permissions?.look();
    });
    this.stops.push(
      asked,
      this.messaging.access.subscribe(() => void this.endForbidden()),
      every(BLIND_LOOK_MS, () => {
        this.rounds += 1;
        return !this.messaging.signals.isConnected || this.rounds % SIGHTED_LOOKS === 0 ? this.look() : undefined;
      }),
    );
    this.messaging.signals.onReconnected(() => void this.look());
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }

  /** Never rejects. */
  private async endForbidden(): Promise<void> {
    if (this.scheduler.runningCount === 0) return;
    try {
      for (const turnId of await this.forbidden.list(this.workerId)) this.scheduler.find(turnId)?.forbid();
    } catch (error) {
      this.log.debug({ err: error }, 'worker.rights_not_checked');
    }
  }

  /** Also takes queued turns whose wake-up may be lost. */
  private readonly look = joined(async () => {
    try {
      if (this.scheduler.runningCount > 0) {
        const { interrupts, answered } = await this.turns.readSignals(this.workerId);
        for (const { turnId } of interrupts) this.scheduler.interrupt(turnId);
        for (const { turnId } of answered) this.scheduler.find(turnId)?.permissions?.look();
        await this.endForbidden();
      }
      await this.scheduler.wake();
    } catch (error) {
      this.log.debug({ err: error }, 'worker.look_failed');
    }
  });
}
