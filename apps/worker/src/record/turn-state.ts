import type { EventKind, TurnStatus } from '@chirality/contracts';
import { applyTransition, type Tx } from '@chirality/database';
import { nextStatus, type TurnCause } from '@chirality/domain';
import type { Logger } from '@chirality/platform';
import type { TurnRecorder } from './turn-recorder';

/** Which attempt of a turn a write is for. */
export type AttemptRef = { turnId: string; sessionId: string; attempt: number; fence: bigint };

type StateEvent = { kind: EventKind; payload: unknown };

/**
 * Which attempt and status a turn that runs here has: our own view of its row, kept in step with every change of that.
 */
export class TurnState {
  private current: TurnStatus = 'starting';
  private launched: string | null = null;
  private ended = false;
  private onRest: (isWaiting: boolean) => void = () => undefined;

  constructor(
    private live: AttemptRef,
    private readonly recorder: TurnRecorder,
    private readonly log: Logger,
  ) {}

  get status(): TurnStatus {
    return this.current;
  }

  get attempt(): AttemptRef {
    return this.live;
  }

  /** The turn's end is stored, which is all that people wait for. */
  get isSettled(): boolean {
    return this.ended;
  }

  settled(): void {
    this.ended = true;
  }

  /** What serves the turn, where its row does not say so yet. */
  get untoldLaunch(): string | null {
    return this.launched;
  }

  /** Calls the listener when the turn begins to wait for a person, and when it no longer does. */
  watchRest(onRest: (isWaiting: boolean) => void): void {
    this.onRest = onRest;
  }

  /**
   * What serves the turn, for a replay by hand; once its row says so, it counts as having touched the session's copy.
   * Reported when the program announces itself, which it does before it hears from the model, or else with the turn's
   * end.
   */
  servedBy(launch: unknown): void {
    this.launched = JSON.stringify(launch);
  }

  /**
   * Applies a cause to the row together with events, all or nothing; without a cause, the events and `also`. Never
   * rejects: false when nothing changed.
   */
  async change(cause: TurnCause | null, events: StateEvent[] = [], also?: (tx: Tx) => Promise<void>): Promise<boolean> {
    const from = this.current;
    const to = cause === null ? from : nextStatus(from, cause);
    if (to === null) return false;
    this.current = to;
    const attempt = this.live;
    const set = cause === 'spawned' && this.launched !== null ? { launch: this.launched } : {};
    const changing = this.recorder.transition(async (tx) => {
      if (cause !== null && !(await applyTransition(tx, { ...attempt, from, cause, set }))) return false;
      await also?.(tx);
      return true;
    }, events);
    const changed = await changing.catch((error: Error) => {
      this.log.error({ err: error, cause }, 'turn.change_not_stored');
      return false;
    });
    if (!changed && this.current === to) this.current = from;
    if (changed && set.launch === this.launched) this.launched = null;
    if (changed && (cause === 'permission_asked' || cause === 'permission_settled'))
      this.onRest(cause === 'permission_asked');
    return changed;
  }

  /** The automatic retry: false when the row does not allow it, and nothing changed. */
  async retry(): Promise<boolean> {
    if (!(await this.change('retry'))) return false;
    this.live = { ...this.live, attempt: this.live.attempt + 1 };
    return true;
  }
}
