import type { Originator } from '@chirality/contracts';
import type { WireEnvelope } from './transcript-draft';

const PERSON: Originator = {
  userId: 'user_01J00000000000000000000000',
  clientId: 'cli_01J00000000000000000000000',
  identityClass: 'human',
};

/** Writes a session's log for tests: numbers the events and gives each the next second. */
export class EventScript {
  readonly events: WireEnvelope[] = [];
  private turn: string | null = null;

  add(kind: string, payload: Record<string, unknown>, originator: Originator = { system: true }): this {
    const id = this.events.length + 1;
    this.events.push({ id, kind, turn: this.turn, originator, ts: new Date(id * 1000).toISOString(), payload });
    return this;
  }

  queue(turn: string, message: string): this {
    this.turn = turn;
    return this.add('turn:queued', { turnKind: 'message', message, position: 1 }, PERSON);
  }

  start(attempt = 1): this {
    return this.add('turn:start', { attempt, worker: 'worker_1', process: 'cold', paidBy: 'team' });
  }

  end(status = 'completed', extra: Record<string, unknown> = {}): this {
    return this.add('turn:end', { status, costUsd: '0.01', usage: USAGE, timings: null, ...extra });
  }

  outsideTurns(): this {
    this.turn = null;
    return this;
  }

  /** Continues a turn that was left by `outsideTurns`. */
  resume(turn: string): this {
    this.turn = turn;
    return this;
  }
}

export const USAGE = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
