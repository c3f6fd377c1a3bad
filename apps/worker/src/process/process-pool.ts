import type { Logger } from '@chirality/platform';
import type { SandboxExit } from '../sandbox';
import type { LiveProcess } from './live-process';

export type ParkedEnd = 'expired' | 'key_changed' | 'missed_a_turn' | 'worn_out' | 'too_large' | 'crowded_out' | 'evicted' | 'died' | 'shutdown' | 'strays';

export interface PoolPorts {
  /** A parked process is gone. */
  onExit(live: LiveProcess, exit: SandboxExit): void;
  onEnd(reason: ParkedEnd): void;
  residentBytes(pid: number): number;
}

export type PoolLimits = { parkedMs: number; maxParked: number; maxTurns: number; maxResidentBytes: number };

type Parked = {
  live: LiveProcess;
  timer: NodeJS.Timeout;
  ending: Promise<void> | null;
  /** Resolves when nothing of the last turn is left but the process itself, or it is being ended. */
  cleared: Promise<void>;
};

/**
 * Processes that wait on stdin for their session's next turn: starting one is most of what a person waits for. A session
 * has at most one, and it is either handed out or ended, and waited for, before another may be started.
 */
export class ProcessPool {
  /** In the order of parking: the first is the least recently used. */
  private readonly parked = new Map<string, Parked>();

  constructor(
    private readonly limits: PoolLimits,
    private readonly ports: PoolPorts,
    private readonly log: Logger,
  ) {}

  get size(): number {
    return this.parked.size;
  }

  /** The session's process if it fits, now the caller's; else null, with no process of the session left. */
  async take(sessionId: string, fits: { spawnKey: string; fence: bigint; conversation: string }): Promise<LiveProcess | null> {
    const parked = this.parked.get(sessionId);
    if (!parked) return null;
    const { live } = parked;
    await parked.cleared;
    if (parked.ending === null && live.spawnKey === fits.spawnKey && live.nextFence === fits.fence && live.conversation === fits.conversation && live.process.channel.isOpen) {
      clearTimeout(parked.timer);
      this.parked.delete(sessionId);
      return live;
    }
    await this.end(sessionId, live.spawnKey === fits.spawnKey ? 'missed_a_turn' : 'key_changed');
    return null;
  }

  /** Parks a process whose turn is settled. It is ended instead when it is worn out, large, or left strays that would not die. */
  async park(live: LiveProcess): Promise<void> {
    const timer = setTimeout(() => void this.end(live.sessionId, 'expired'), this.limits.parkedMs).unref();
    const parked: Parked = { live, ending: null, timer, cleared: Promise.resolve() };
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

  async shutDown(): Promise<void> {
    await Promise.all([...this.parked.keys()].map((sessionId) => this.end(sessionId, 'shutdown')));
  }

  private async clear(parked: Parked): Promise<void> {
    const { live } = parked;
    const unfit = (await live.process.sandboxed.killStrays()) ? this.unfitness(live) : 'strays';
    if (unfit) parked.ending ??= this.finish(parked, unfit);
    else this.makeRoom();
  }

  private unfitness(live: LiveProcess): ParkedEnd | null {
    if (live.turnsServed >= this.limits.maxTurns) return 'worn_out';
    if (this.ports.residentBytes(live.process.sandboxed.pid) > this.limits.maxResidentBytes) return 'too_large';
    return null;
  }

  private makeRoom(): void {
    const waiting = [...this.parked].filter(([, parked]) => parked.ending === null);
    for (const [sessionId] of waiting.slice(0, Math.max(0, waiting.length - this.limits.maxParked))) void this.end(sessionId, 'crowded_out');
  }

  private async end(sessionId: string, reason: ParkedEnd): Promise<void> {
    const parked = this.parked.get(sessionId);
    if (!parked) return;
    parked.ending ??= this.finish(parked, reason);
    await parked.ending;
  }

  private async finish({ live, timer }: Parked, reason: ParkedEnd): Promise<void> {
    clearTimeout(timer);
    this.ports.onEnd(reason);
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
      this.ports.onEnd('died');
      void live.lease.close();
    }
    this.ports.onExit(live, exit);
  }
}
