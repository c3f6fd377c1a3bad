import type { EventKind, TurnStatus } from '@chirality/contracts';
import type { Tx } from '@chirality/database';
import { nextStatus, type TurnCause } from '@chirality/domain';
import type { Logger } from '@chirality/platform';
import type { TurnJournal } from './turn-journal';
import type { AttemptRef, TurnServices } from './turn-services';

export type StateEvent = { kind: EventKind; payload: unknown };

/** Which attempt and status a turn that runs here has: our own view of its row, kept in step with every change of that. */
export class TurnState {
  private current: TurnStatus = 'starting';

  constructor(
    private live: AttemptRef,
    private readonly journal: TurnJournal,
    private readonly applyTransition: TurnServices['applyTransition'],
    private readonly log: Logger,
  ) {}

  get status(): TurnStatus {
    return this.current;
  }

  get attempt(): AttemptRef {
    return this.live;
  }

  /** Applies a cause to the row together with events, all or nothing; without a cause, the events and `also`. Never rejects: false when nothing changed. */
  async change(cause: TurnCause | null, events: StateEvent[] = [], also?: (tx: Tx) => Promise<void>): Promise<boolean> {
    const from = this.current;
    const to = cause === null ? from : nextStatus(from, cause);
    if (to === null) return false;
    this.current = to;
    const attempt = this.live;
    const changing = this.journal.transition(async (tx) => {
      if (cause !== null && !(await this.applyTransition(tx, { ...attempt, from, cause }))) return false;
      await also?.(tx);
      return true;
    }, events);
    const changed = await changing.catch((error: Error) => {
      this.log.error({ err: error, cause }, 'turn.change_not_stored');
      return false;
    });
    if (!changed && this.current === to) this.current = from;
    return changed;
  }

  /** The automatic retry: false when the row does not allow it, and nothing changed. */
  async retry(): Promise<boolean> {
    if (!(await this.change('retry'))) return false;
    this.live = { ...this.live, attempt: this.live.attempt + 1 };
    return true;
  }
}
