import type { Turn } from '@chirality/contracts';
import { fakeClaude, type FakeClaude } from '@chirality/testing';
import { limits, startFaultStack, type FaultStack } from './fault-stack';
import { untilGone } from './process-scan';
import { WatchedSession } from './watched-session';

/** What the worker logs only when it is at fault itself. */
const FAULTS = new Set([
  'worker.unhandled_rejection',
  'worker.uncaught_exception',
  'turn.crashed',
  'turn.settlement_refused',
  'turn.not_settled',
  'turn.event_not_stored',
  'turn.change_not_stored',
  'turn.failed_to_run',
]);

/** A whole answer of the fake program. */
export const says = (text: string): FakeClaude => fakeClaude().init().text('m1', text).result();

/** How long the turn took, in milliseconds. */
export const took = (turn: Turn): number => Date.parse(turn.endedAt ?? '') - Date.parse(turn.startedAt ?? '');

/** The session's next turn is answered as if nothing had been; its log is lawful, and is watched no longer. */
export async function expectContinues(watched: WatchedSession): Promise<void> {
  const next = await watched.run(says('Still here.').toMessage());
  expect(next).toMatchObject({ status: 'completed', text: 'Still here.', degraded: false });
  await watched.expectLawful();
  watched.close();
}

/** The product with a program that plays what its message says. Limits are short, and no process waits for a turn. */
export class FakeClaudeStack {
  private constructor(readonly product: FaultStack) {}

  static async start(): Promise<FakeClaudeStack> {
    return new FakeClaudeStack(
      await startFaultStack({
        fake: true,
        env: {
          CHIRALITY_PARKED_MS: '0',
          CHIRALITY_WORKER_SLOTS: '2',
          ...limits({ startMs: 6_000, silenceMs: 8_000, parkedStartMs: 2_000 }),
        },
      }),
    );
  }

  stop(): Promise<void> {
    return this.product.stop();
  }

  open(more?: Record<string, unknown>): Promise<WatchedSession> {
    return WatchedSession.open(this.product.person, this.product.projectId, more);
  }

  /**
   * One turn of a separate session that plays these steps; afterwards nothing is left of it and the session continues.
   */
  async play(
    steps: FakeClaude,
    also: (watched: WatchedSession, turn: Turn) => Promise<void> | void = () => undefined,
    timeoutMs?: number,
  ): Promise<Turn> {
    const watched = await this.open();
    const turn = await watched.run(steps.toMessage(), timeoutMs);
    await untilGone(watched.id);
    await also(watched, turn);
    await expectContinues(watched);
    return turn;
  }

  /** The worker logged no fault during all that was played. */
  expectNoFaultLogged(): void {
    expect(this.product.stack.workers[0]?.lines.filter(({ msg }) => FAULTS.has(String(msg)))).toEqual([]);
  }
}
