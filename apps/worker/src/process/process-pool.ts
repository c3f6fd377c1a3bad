import type { Logger } from '@chirality/platform';
import type { RetuneFailure, Tuning } from '../harness/harness';
import type { SandboxExit } from '../sandbox/sandbox.types';
import { waitingOrigin, type LiveProcess } from './live-process';
import type { ProcessBook } from './process-book';
import { residentBytesBelow } from './resident-bytes';

export type ParkedEnd =
  | 'expired'
  | 'key_changed'
  | 'missed_a_turn'
  | RetuneFailure
  | 'worn_out'
  | 'too_large'
  | 'crowded_out'
  | 'memory'
  | 'evicted'
  | 'archived'
  | 'member_removed'
  | 'died'
  | 'shutdown'
  | 'strays';

export type PoolLimits = { parkedMs: number; maxParked: number; maxTurns: number; maxResidentBytes: number };

/** What a turn asks of a process that waits: the first three it has or has not, the last can be switched. */
type Fits = { spawnKey: string; fence: bigint; conversation: string | null; tuning: Tuning };

/** A process that waits for less than this is not given up for one that only might be wanted. */
const WELL_USED_MS = 60_000;

type Parked = {
  live: LiveProcess;
  since: number;
  timer: NodeJS.Timeout;
  ending: Promise<void> | null;
  /** Resolves when nothing of the last turn is left but the process itself, or it is being ended. */
  cleared: Promise<void>;
};

/**
 * Processes that wait on stdin for their session's next turn: starting one is most of what a person waits for. A
 * session has at most one, and it is either handed out or ended, and waited for, before another may be started.
 */
export class ProcessPool {
  /** In the order of parking: the first is the least recently used. */
  private readonly parked = new Map<string, Parked>();

  constructor(
    private readonly limits: PoolLimits,
    private readonly book: Pick<ProcessBook, 'kept' | 'exited' | 'retuned' | 'ended'>,
    private readonly log: Logger,
    private readonly residentBytes: (pid: number) => number = residentBytesBelow,
  ) {}

  get size(): number {
    return this.parked.size;
  }

  /** Whether one more may wait, where at most one that was not used for a while would have to go. */
  get hasRoom(): boolean {
    if (this.parked.size < this.limits.maxParked) return true;
    const [oldest] = this.parked.values();
    return oldest !== undefined && performance.now() - oldest.since >= WELL_USED_MS;
  }

  has(sessionId: string): boolean {
    return this.parked.has(sessionId);
  }

  /** The session's process if it fits, now the caller's; else null, with no process of the session left. */
  async take(sessionId: string, fits: Fits): Promise<LiveProcess | null> {
    const parked = this.parked.get(sessionId);
    if (!parked) return null;
    const { live } = parked;
    await parked.cleared;
    const misfit = this.misfit(live, fits) ?? (parked.ending === null ? await this.retune(live, fits.tuning) : null);
    // While it was switched it may have been ended for another reason, or have died.
    if (
      misfit === null &&
      parked.ending === null &&
      this.parked.get(sessionId) === parked &&
      live.process.channel.isOpen
    ) {
      clearTimeout(parked.timer);
      this.parked.delete(sessionId);
      return live;
    }
    await this.end(sessionId, misfit ?? 'died');
    return null;
  }

  private misfit(live: LiveProcess, fits: Fits): ParkedEnd | null {
    if (live.spawnKey !== fits.spawnKey) return 'key_changed';
    return live.nextFence === fits.fence && live.conversation === fits.conversation ? null : 'missed_a_turn';
  }

  /** Only what differs is sent: the usual turn costs nothing. */
  private async retune(live: LiveProcess, { model, permissionMode }: Tuning): Promise<ParkedEnd | null> {
    const changes: Partial<Tuning> = {
      ...(live.tuning.model === model ? {} : { model }),
      ...(live.tuning.permissionMode === permissionMode ? {} : { permissionMode }),
    };
    if (Object.keys(changes).length === 0) return null;
    const failure = await live.process.retune(changes);
    if (failure === null) {
      live.tuning = { model, permissionMode };
      this.book.retuned(changes);
    }
    return failure;
  }

  /**
   * Lets a process wait: one whose turn is settled, or that was started ahead of one. It is ended instead when it is
   * worn out, large, or left strays that would not die.
   */
  async park(live: LiveProcess): Promise<void> {
    const timer = setTimeout(() => void this.end(live.sessionId, 'expired'), this.limits.parkedMs).unref();
    const parked: Parked = { live, since: performance.now(), ending: null, timer, cleared: Promise.resolve() };
    this.parked.set(live.sessionId, parked);
    void live.process.exited.then((exit) => this.forget(live, exit));
    parked.cleared = this.clear(parked);
    await parked.cleared;
    await parked.ending;
  }

  /** Ends the session's parked process, if any, and waits until it is gone. */
  async evict(sessionId: string, reason: ParkedEnd = 'evicted'): Promise<void> {
    await this.end(sessionId, reason);
  }

  /** Ends the least recently used one, where memory is short. False when none waits. */
  async relieve(): Promise<boolean> {
    const oldest = this.waiting()[0];
    if (oldest === undefined) return false;
    await this.end(oldest, 'memory');
    return true;
  }

  async shutDown(): Promise<void> {
    await Promise.all([...this.parked.keys()].map((sessionId) => this.end(sessionId, 'shutdown')));
  }

  private async clear(parked: Parked): Promise<void> {
    const { live } = parked;
    // What was only started has run nothing yet.
    const cleared = waitingOrigin(live) === 'ahead' || (await live.process.sandboxed.killStrays());
    const unfit = cleared ? this.unfitness(live) : 'strays';
    if (unfit) {
      parked.ending ??= this.finish(parked, unfit);
      return;
    }
    this.book.kept(live);
    this.makeRoom();
  }

  private unfitness(live: LiveProcess): ParkedEnd | null {
    if (live.turnsServed >= this.limits.maxTurns) return 'worn_out';
    if (live.turnsServed > 0 && this.residentBytes(live.process.sandboxed.pid) > this.limits.maxResidentBytes)
      return 'too_large';
    return null;
  }

  private waiting(): string[] {
    return [...this.parked].filter(([, parked]) => parked.ending === null).map(([sessionId]) => sessionId);
  }

  private makeRoom(): void {
    const waiting = this.waiting();
    for (const sessionId of waiting.slice(0, Math.max(0, waiting.length - this.limits.maxParked)))
      void this.end(sessionId, 'crowded_out');
  }

  private async end(sessionId: string, reason: ParkedEnd): Promise<void> {
    const parked = this.parked.get(sessionId);
    if (!parked) return;
    parked.ending ??= this.finish(parked, reason);
    await parked.ending;
  }

  private async finish({ live, timer }: Parked, reason: ParkedEnd): Promise<void> {
    clearTimeout(timer);
    this.book.ended(live, reason);
    this.log.info({ session: live.sessionId, reason, turns: live.turnsServed }, 'process.parked_ended');
    // It does nothing and holds nothing that a polite end would save.
    live.process.sandboxed.killTree();
    await live.process.exited;
    await live.lease.close();
  }

  private forget(live: LiveProcess, exit: SandboxExit): void {
    const parked = this.parked.get(live.sessionId);
    if (parked?.live !== live) return;
    this.parked.delete(live.sessionId);
    if (parked.ending === null) {
      clearTimeout(parked.timer);
      this.book.ended(live, 'died');
      void live.lease.close();
    }
    this.book.exited(live, exit);
  }
}
