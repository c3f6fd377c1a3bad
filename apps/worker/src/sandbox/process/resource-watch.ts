import type { SandboxLimits } from '../limits';
import type { ExceededLimit } from '../sandbox.types';

/** What a whole tree takes now. */
export interface TreeUse {
  memoryBytes: number;
  /** Threads count as the kernel counts them, one each. */
  processes: number;
}

export interface WatchedProcess {
  readonly exited: Promise<unknown>;
  use(): TreeUse;
  /** How many processes there are, their threads aside: cheap, whatever their number. */
  count(): number;
  inotifyInstances(): number;
  endFor(reason: ExceededLimit): void;
  /** Called at every look at which the kernel starts no further process in it, or hardly any. */
  atProcessLimit(limit: number): void;
}

export interface DiskReader {
  usedBytes(directories: readonly string[]): Promise<number>;
  freeBytes(directory: string): Promise<number>;
}

interface Entry {
  process: WatchedProcess;
  directories: readonly string[];
  diskBytes: number;
  /** What was free when the sandbox began, before it could take anything. */
  firstFree: Promise<number>;
  /** What the directories held at first, as far as it is known, and last. */
  firstBytes: number | null;
  lastBytes: number;
  /**
   * By the watch's clock. A tree of many processes takes long to look at, and meanwhile the worker does nothing else.
   */
  nextLookAt: number;
  nextInotifyAt: number;
}

const LOOK_EVERY_MS = 500;
/** Every descriptor of every process is read for it. */
const INOTIFY_EVERY_MS = 2_000;
const DISK_EVERY_MS = 5_000;
/** From here on a look says so: at the limit itself what starts and ends between two looks may hide it. */
const NEARLY = 0.95;
/** Looking at a tree, counting its inotify instances and measuring the disks may each take this share of the time. */
const DUTY = 0.1;
/** Who has grown by less is not why the disk runs low: a conversation grows by that much. */
const INNOCENT_GROWTH_BYTES = 4 * 1024 * 1024;

/**
 * Ends sandboxes that use more memory, disk, processes or inotify instances than they may, where no kernel limit holds
 * for a whole tree. One per worker.
 */
export class ResourceWatch {
  private readonly entries = new Set<Entry>();
  private timer: NodeJS.Timeout | null = null;
  private nextDiskAt = 0;
  private measuring: Promise<void> | null = null;

  constructor(
    private readonly limits: Pick<
      SandboxLimits,
      'memoryBytes' | 'processes' | 'inotifyInstances' | 'diskBytes' | 'freeDiskBytes'
    >,
    private readonly disk: DiskReader,
    /** The kernel starts no process of a sandbox beyond the limit. Elsewhere nothing in it fails before it is ended. */
    private readonly kernelBoundsProcesses: boolean,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Watches until the process is gone. Its directories are measured only once it has lived for a while. */
  add(process: WatchedProcess, directories: readonly string[], diskBytes = this.limits.diskBytes): void {
    const entry: Entry = {
      process,
      directories,
      diskBytes: Math.min(diskBytes, this.limits.diskBytes),
      firstFree: this.freeBytes(directories),
      firstBytes: null,
      lastBytes: 0,
      nextLookAt: 0,
      nextInotifyAt: 0,
    };
    if (this.entries.size === 0) this.nextDiskAt = this.clock() + DISK_EVERY_MS;
    this.entries.add(entry);
    this.timer ??= setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
    void process.exited.then(() => this.remove(entry));
  }

  /** One look at everything that is watched. Called by the timer; resolves when what is due has been measured. */
  async look(): Promise<void> {
    this.endGreedy();
    const scarce = await this.findScarce();
    if (scarce.length === 0 && this.clock() < this.nextDiskAt) return;
    this.measuring ??= this.measureAll().finally(() => (this.measuring = null));
    await this.measuring;
    this.endFastestGrowing(scarce);
  }

  /**
   * The kernel refuses a process beyond the limit, where it counts them for each sandbox: then the sandbox is not
   * ended.
   */
  private endGreedy(): void {
    for (const entry of this.entries) {
      // At every look, because a program may not outlive for long that it can start no thread.
      if (this.kernelBoundsProcesses) this.nameLimit(entry.process, entry.process.count());
      entry.nextLookAt = this.lookWhenDue(entry.nextLookAt, 0, () => this.endIfGreedy(entry.process));
      // Timed apart: reading every descriptor may take long, and memory is looked at meanwhile.
      const countInotify = () => this.endIfWatching(entry.process);
      entry.nextInotifyAt = this.lookWhenDue(entry.nextInotifyAt, INOTIFY_EVERY_MS, countInotify);
    }
  }

  /** Returns when the next look is due: the longer one takes, the later. */
  private lookWhenDue(dueAt: number, everyMs: number, look: () => void): number {
    const startedAt = this.clock();
    if (startedAt < dueAt) return dueAt;
    look();
    return startedAt + Math.max(everyMs, (this.clock() - startedAt) / DUTY);
  }

  private endIfGreedy(process: WatchedProcess): void {
    const { memoryBytes, processes } = process.use();
    if (this.kernelBoundsProcesses) this.nameLimit(process, processes);
    if (memoryBytes > this.limits.memoryBytes) process.endFor('oom');
    else if (processes > this.limits.processes) process.endFor('tooManyProcesses');
  }

  private nameLimit(process: WatchedProcess, processes: number): void {
    if (processes >= this.limits.processes * NEARLY) process.atProcessLimit(this.limits.processes);
  }

  private endIfWatching(process: WatchedProcess): void {
    if (process.inotifyInstances() > this.limits.inotifyInstances) process.endFor('tooManyWatches');
  }

  private remove(entry: Entry): void {
    this.entries.delete(entry);
    if (this.entries.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private async findScarce(): Promise<Entry[]> {
    const entries = [...this.entries];
    const free = await Promise.all(entries.map(({ directories }) => this.freeBytes(directories)));
    return entries.filter((_entry, index) => this.isScarce(free[index] ?? Infinity));
  }

  private async measureAll(): Promise<void> {
    const startedAt = this.clock();
    for (const entry of this.entries) {
      entry.lastBytes = await this.disk.usedBytes(entry.directories);
      entry.firstBytes ??= entry.lastBytes - (await this.grownUnseen(entry));
      if (entry.lastBytes > entry.diskBytes) entry.process.endFor('diskFull');
    }
    const tookMs = this.clock() - startedAt;
    this.nextDiskAt = this.clock() + Math.max(DISK_EVERY_MS, tookMs / DUTY);
  }

  /**
   * Measured for the first time when the disk is low already, a sandbox may be why: by no more than the disk has lost
   * since it began.
   */
  private async grownUnseen(entry: Entry): Promise<number> {
    const free = await this.freeBytes(entry.directories);
    return this.isScarce(free) ? Math.min(entry.lastBytes, Math.max(0, (await entry.firstFree) - free)) : 0;
  }

  private isScarce(freeBytes: number): boolean {
    return freeBytes < this.limits.freeDiskBytes;
  }

  private async freeBytes([directory]: readonly string[]): Promise<number> {
    return directory ? this.disk.freeBytes(directory) : Infinity;
  }

  /** A process that only finds the disk full, without filling it, may continue: also to clear it up. */
  private endFastestGrowing(entries: readonly Entry[]): void {
    const growth = (entry: Entry): number => entry.lastBytes - (entry.firstBytes ?? 0);
    const [fastest] = entries
      .filter((entry) => this.entries.has(entry) && growth(entry) > INNOCENT_GROWTH_BYTES)
      .sort((a, b) => growth(b) - growth(a));
    fastest?.process.endFor('diskFull');
  }
}
