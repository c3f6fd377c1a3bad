import type { TurnPermissions } from '../permission/turn-permissions';
import type { ActiveTurn } from '../record/active-turn';
import type { TurnRecords } from '../record/turn-records';
import type { RunningTurn } from '../turn/running-turn';
import type { TurnAttempts } from './turn-attempts';
import type { TurnConclusion } from './turn-conclusion';

/**
 * One claimed turn from its start to its one final state. Every write carries the claim's fence; the first one that is
 * refused ends the process and leaves the turn to the worker that owns it now.
 */
export class TurnExecution implements RunningTurn {
  readonly turnId: string;
  readonly sessionId: string;

  constructor(
    private readonly turn: ActiveTurn,
    private readonly attempts: TurnAttempts,
    private readonly conclusion: TurnConclusion,
    private readonly records: Pick<TurnRecords, 'keepRawLog'>,
    private readonly onRestChanged: () => void,
  ) {
    this.turnId = turn.claimed.id;
    this.sessionId = turn.claimed.sessionId;
    turn.state.watchRest((isWaiting) => {
      attempts.waiting(isWaiting);
      onRestChanged();
    });
  }

  get isAtRest(): boolean {
    const { isSettled, status } = this.turn.state;
    return isSettled || status === 'awaiting_permission';
  }

  get permissions(): TurnPermissions | null {
    return this.attempts.permissions;
  }

  requestInterrupt(): void {
    this.turn.stop.request('interrupt');
  }

  forbid(): void {
    this.turn.stop.request('forbidden');
  }

  shutDown(): void {
    this.turn.stop.request('shutdown');
  }

  abandon(): void {
    this.turn.stop.request('fenced');
  }

  async run(): Promise<void> {
    const { turn, attempts, conclusion, records } = this;
    turn.log.info({ attempt: turn.state.attempt.attempt, kind: turn.claimed.kind }, 'turn.started');
    const done = await attempts.run();
    turn.costs.stop();
    records.keepRawLog(turn);
    if (turn.recorder.isFenced) return conclusion.letGo(turn, done);
    await conclusion.settle(turn, done);
    this.onRestChanged();
    await conclusion.store(turn, done);
  }
}
