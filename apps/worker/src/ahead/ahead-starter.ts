import type { AheadAsk } from '@chirality/contracts';
import type { SessionToRun, SessionToRunRepository } from '@chirality/database';
import { metrics, type Logger } from '@chirality/platform';
import type { PreparedTurn } from '../prepare/prepared-turn';
import type { TurnPreparation } from '../prepare/turn-preparation';
import type { ProcessPool } from '../process/process-pool';
import type { ProcessStarter } from '../process/process-starter';
import type { AheadRoom } from './ahead-room';

type AheadOutcome = 'started' | 'no_room' | 'not_wanted' | 'session_busy' | 'failed';

/**
 * Starts a session's process before its turn is there, for a user who opened it or types. Nothing of it can fail a
 * turn: whatever is in the way, the turn starts a process itself.
 */
export class AheadStarter {
  private readonly starting = new Map<string, Promise<AheadOutcome>>();
  private stopped = false;

  constructor(
    private readonly room: Pick<AheadRoom, 'isThere'>,
    private readonly pool: Pick<ProcessPool, 'has'>,
    private readonly sessions: Pick<SessionToRunRepository, 'find'>,
    private readonly preparation: Pick<TurnPreparation, 'whileIdle'>,
    private readonly starter: Pick<ProcessStarter, 'startAhead'>,
    private readonly log: Logger,
  ) {}

  /** Never rejects. */
  start(ask: AheadAsk): Promise<AheadOutcome> {
    const { sessionId } = ask;
    const refusal = this.refusal(sessionId);
    if (refusal) return Promise.resolve(this.conclude(refusal));
    const starting = this.tryToStart(ask)
      .catch((error: Error): AheadOutcome => {
        this.log.warn({ err: error, session: sessionId }, 'process.not_started_ahead');
        return 'failed';
      })
      .then((outcome) => this.conclude(outcome))
      .finally(() => this.starting.delete(sessionId));
    this.starting.set(sessionId, starting);
    return starting;
  }

  /** Starts nothing more; resolves when nothing is being started. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.starting.values());
  }

  private refusal(sessionId: string): AheadOutcome | null {
    if (this.starting.has(sessionId) || this.pool.has(sessionId)) return 'not_wanted';
    return this.stopped || !this.room.isThere ? 'no_room' : null;
  }

  private async tryToStart({ sessionId, userId, options, persona }: AheadAsk): Promise<AheadOutcome> {
    // As a turn of that person would find it; null when they may not send one now.
    const session = await this.sessions.find(sessionId, userId, { options, persona });
    if (!session) return 'not_wanted';
    const started = await this.preparation.whileIdle(session, (prepared) => this.startUnlessStopped(session, prepared));
    return started ?? 'session_busy';
  }

  private async startUnlessStopped(session: SessionToRun, prepared: PreparedTurn): Promise<AheadOutcome> {
    if (this.stopped) return 'no_room';
    await this.starter.startAhead(session, prepared);
    return 'started';
  }

  private conclude(outcome: AheadOutcome): AheadOutcome {
    metrics.processesStartedAhead.inc({ outcome });
    return outcome;
  }
}
