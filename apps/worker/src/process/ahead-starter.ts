import type { AheadAsk } from '@chirality/contracts';
import type { SessionToRun } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import type { PreparedTurn } from './prepared-turn';

export type AheadOutcome = 'started' | 'no_room' | 'not_wanted' | 'session_busy' | 'failed';

export interface AheadPorts {
  /** Whether a turn could start here now, and one more process has room, in the pool and in memory. */
  hasRoom(): boolean;
  hasProcess(sessionId: string): boolean;
  /** The session as a turn of that person would find it; null when they may not send one now. */
  find(ask: AheadAsk): Promise<SessionToRun | null>;
  /** Prepares the session's copy and runs `start` on it while no turn can begin; null when one has, or the copy is not fit. */
  whileIdle(
    session: SessionToRun,
    start: (prepared: PreparedTurn) => Promise<AheadOutcome>,
  ): Promise<AheadOutcome | null>;
  start(session: SessionToRun, prepared: PreparedTurn): Promise<void>;
  onOutcome(outcome: AheadOutcome): void;
}

/**
 * Starts a session's process before its turn is there, for a user who opened it or types. Nothing of it can fail a
 * turn: whatever is in the way, the turn starts a process itself.
 */
export class AheadStarter {
  private readonly starting = new Map<string, Promise<AheadOutcome>>();
  private stopped = false;

  constructor(
    private readonly ports: AheadPorts,
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
    if (this.starting.has(sessionId) || this.ports.hasProcess(sessionId)) return 'not_wanted';
    return this.stopped || !this.ports.hasRoom() ? 'no_room' : null;
  }

  private async tryToStart(ask: AheadAsk): Promise<AheadOutcome> {
    const session = await this.ports.find(ask);
    if (!session) return 'not_wanted';
    const started = await this.ports.whileIdle(session, (prepared) => this.startUnlessStopped(session, prepared));
    return started ?? 'session_busy';
  }

  private async startUnlessStopped(session: SessionToRun, prepared: PreparedTurn): Promise<AheadOutcome> {
    if (this.stopped) return 'no_room';
    await this.ports.start(session, prepared);
    return 'started';
  }

  private conclude(outcome: AheadOutcome): AheadOutcome {
    this.ports.onOutcome(outcome);
    return outcome;
  }
}
