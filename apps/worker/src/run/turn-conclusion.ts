import { setTimeout as delay } from 'node:timers/promises';
import { changesNotice } from '../outcome/changes-notice';
import type { LiveProcess } from '../process/live-process';
import type { ProcessPool } from '../process/process-pool';
import type { ProcessStarter } from '../process/process-starter';
import type { ActiveTurn } from '../record/active-turn';
import type { SandboxWatch } from '../sandbox/sandbox-watch';
import type { TurnFiles } from '../turn/turn-files';
import type { TurnSettler } from '../turn/turn-settler';
import type { Done } from './turn-attempts';

/** How long the end of a turn waits to tell which files changed: a person who interrupted it waits too. */
const CHANGES_PATIENCE_MS = 3_000;

/**
 * What follows when a turn is done: its end is written, its process waits for the next one, and its files are stored.
 */
export class TurnConclusion {
  constructor(
    private readonly settler: Pick<TurnSettler, 'settle'>,
    private readonly starter: Pick<ProcessStarter, 'discard'>,
    private readonly pool: Pick<ProcessPool, 'park'>,
    private readonly files: Pick<TurnFiles, 'summariseChanges' | 'keep' | 'release' | 'store'>,
    private readonly sandbox: Pick<SandboxWatch, 'look'>,
  ) {}

  /** The turn is another worker's by now: nothing of it is written or kept here. */
  async letGo({ claimed, log }: ActiveTurn, { live }: Done): Promise<void> {
    log.warn('turn.fenced');
    if (live) await this.starter.discard(live);
    this.files.release(claimed);
  }

  /** Writes the turn's end. Rejects where it cannot be written; no process is left then. */
  async settle(turn: ActiveTurn, done: Done): Promise<void> {
    try {
      const filesAreKnown = done.last?.mutatingToolStarted
        ? await this.tellChanges(turn, done)
        : !done.prepared?.setupRan;
      if (done.last && filesAreKnown) this.files.keep(turn.claimed);
      await this.writeEnd(turn, done);
      if (done.live) await this.park(turn, done.live, done);
    } catch (error) {
      // The process is known only here, and it would keep the session's lock for good.
      if (done.live && !turn.state.isSettled) await this.starter.discard(done.live);
      this.files.release(turn.claimed);
      throw error;
    }
  }

  /** Never rejects. */
  async store({ claimed }: ActiveTurn, { ending, prepared, last }: Done): Promise<void> {
    // It did not come up: it must be proven again.
    if (ending.error?.code === 'SANDBOX_UNAVAILABLE') void this.sandbox.look();
    if (!prepared || !last) return this.files.release(claimed);
    await this.files.store(claimed, {
      claudeSessionId: last.outcome.claudeSessionId,
      mutated: last.mutatingToolStarted || prepared.setupRan,
    });
  }

  private async writeEnd(turn: ActiveTurn, { ending, last, lastWords, prepared }: Done): Promise<void> {
    turn.timings.mark('ended');
    const bootFingerprint = last?.sawInit ? (prepared?.bootFingerprint ?? null) : null;
    await this.settler.settle(turn, { ending, last, lastWords, bootFingerprint });
    turn.log.info({ cause: ending.cause, code: ending.error?.code, timings: turn.timings.snapshot() }, 'turn.ended');
    turn.state.settled();
  }

  private async park({ claimed, state }: ActiveTurn, live: LiveProcess, { last }: Done): Promise<void> {
    live.turnsServed += 1;
    live.nextFence = state.attempt.fence + 2n;
    live.conversation = last?.outcome.claudeSessionId ?? null;
    live.lastTurnId = claimed.id;
    live.lastOriginator = claimed.originator;
    live.lastAttempt = state.attempt.attempt;
    await this.pool.park(live);
  }

  /**
   * Which files a turn changed that could change some: said once nothing of it works in the workspace. False when that
   * could not be found out in time.
   */
  private async tellChanges({ claimed, recorder, timings }: ActiveTurn, { ending, live }: Done): Promise<boolean> {
    await live?.process.sandboxed.killStrays();
    const changes = await Promise.race([
      this.files.summariseChanges(claimed),
      delay(CHANGES_PATIENCE_MS, null, { ref: false }),
    ]);
    if (changes && changes.files.length > 0)
      recorder.record('turn:notice', changesNotice(changes, ending, timings.ranMs(), recorder.masks));
    return changes !== null;
  }
}
