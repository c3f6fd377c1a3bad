import { ResourceWatch, type DiskReader } from './resource-watch';

const MIB = 1024 * 1024;
const limits = {
  memoryBytes: 100 * MIB,
  processes: 50,
  inotifyInstances: 8,
  diskBytes: 1_000 * MIB,
  freeDiskBytes: 10 * MIB,
};

class Watched {
  memory = 0;
  processes = 1;
  forked = 1;
  watches = 0;
  endedFor: string[] = [];
  end: () => void = () => undefined;
  readonly exited = new Promise<void>((resolve) => (this.end = resolve));
  looks = 0;
  onLook: () => void = () => undefined;
  use() {
    this.looks += 1;
    this.onLook();
    return { memoryBytes: this.memory, processes: this.processes };
  }
  count(): number {
    return this.forked;
  }
  counts = 0;
  onCount: () => void = () => undefined;
  inotifyInstances(): number {
    this.counts += 1;
    this.onCount();
    return this.watches;
  }
  toldLimits: number[] = [];
  endFor(reason: string): void {
    this.endedFor.push(reason);
  }
  atProcessLimit(limit: number): void {
    this.toldLimits.push(limit);
  }
}

class FakeDisk implements DiskReader {
  used: Record<string, number> = {};
  free = Infinity;
  measured = 0;
  constructor(private readonly onMeasure: () => void = () => undefined) {}
  async usedBytes(directories: readonly string[]): Promise<number> {
    this.measured += 1;
    this.onMeasure();
    return directories.reduce((sum, directory) => sum + (this.used[directory] ?? 0), 0);
  }
  async freeBytes(): Promise<number> {
    return this.free;
  }
}

describe('the resource watch', () => {
  let now = 0;
  let disk: FakeDisk;
  let watch: ResourceWatch;
  const watched: Watched[] = [];

  function add(...directories: string[]): Watched {
    const process = new Watched();
    watched.push(process);
    watch.add(process, directories);
    return process;
  }

  beforeEach(() => {
    now = 0;
    disk = new FakeDisk();
    watch = new ResourceWatch(limits, disk, true, () => now);
  });
  afterEach(() => watched.splice(0).forEach(({ end }) => end()));

  it('ends the tree that holds too much memory, and only that', async () => {
    const [greedy, modest] = [add('/a'), add('/b')];
    greedy.memory = 100 * MIB + 1;
    modest.memory = 100 * MIB;
    await watch.look();
    expect([greedy.endedFor, modest.endedFor]).toEqual([['oom'], []]);
  });

  it('looks at a tree that takes long to look at less often, and at others as before', async () => {
    const [large, small] = [add('/a'), add('/b')];
    large.onLook = () => (now += 200);
    for (const at of [0, 500, 1_000, 1_500, 2_000]) {
      now = Math.max(now, at);
      await watch.look();
    }
    expect([large.looks, small.looks]).toEqual([2, 5]);
    large.forked = 48;
    await watch.look();
    expect([large.looks, large.toldLimits]).toEqual([2, [limits.processes]]);
  });

  it('looks at memory as often as before where counting inotify instances takes long', async () => {
    const [large, small] = [add('/a'), add('/b')];
    large.onCount = () => (now += 300);
    for (const at of [0, 500, 1_000, 1_500, 2_000, 2_500]) {
      now = Math.max(now, at);
      await watch.look();
    }
    expect([large.looks, small.looks]).toEqual([6, 6]);
    expect([large.counts, small.counts]).toEqual([1, 2]);
  });

  it('names the limit to the tree that has nearly as many processes as it may, and does not end it', async () => {
    const [forking, modest] = [add('/a'), add('/b')];
    forking.processes = 48;
    modest.processes = 47;
    await watch.look();
    expect([forking.toldLimits, modest.toldLimits]).toEqual([[limits.processes], []]);
    expect(forking.endedFor).toEqual([]);
  });

  it('names no limit where the kernel refuses no process', async () => {
    watch = new ResourceWatch(limits, disk, false, () => now);
    const forking = add('/a');
    Object.assign(forking, { processes: 50, forked: 50 });
    await watch.look();
    expect([forking.toldLimits, forking.endedFor]).toEqual([[], []]);
    now = 500;
    forking.processes = 51;
    await watch.look();
    expect([forking.toldLimits, forking.endedFor]).toEqual([[], ['tooManyProcesses']]);
  });

  it('ends the tree that makes too many processes, and the one that takes the inotify instances of all', async () => {
    const [forking, watching, modest] = [add('/a'), add('/b'), add('/c')];
    forking.processes = 51;
    watching.watches = 9;
    Object.assign(modest, { processes: 50, watches: 8 });
    await watch.look();
    expect([forking.endedFor, watching.endedFor, modest.endedFor]).toEqual([
      ['tooManyProcesses'],
      ['tooManyWatches'],
      [],
    ]);
  });

  it('adds up the directories of a sandbox, after five seconds and not before', async () => {
    const process = add('/w', '/c');
    disk.used = { '/w': 999 * MIB, '/c': 2 * MIB };
    now = 4_999;
    await watch.look();
    expect(process.endedFor).toEqual([]);
    now = 5_000;
    await watch.look();
    expect(process.endedFor).toEqual(['diskFull']);
  });

  it('spends at most a tenth of the time on measuring', async () => {
    disk = new FakeDisk(() => (now += 2_000));
    watch = new ResourceWatch(limits, disk, true, () => now);
    add('/w');
    now = 5_000;
    await watch.look();
    now = 7_000 + 19_999;
    await watch.look();
    expect(disk.measured).toBe(1);
    now += 1;
    await watch.look();
    expect(disk.measured).toBe(2);
  });

  it('ends the one that grew most when the disk runs low, not the one that is largest', async () => {
    const [large, growing] = [add('/large'), add('/growing')];
    disk.used = { '/large': 900 * MIB, '/growing': 5 * MIB };
    now = 5_000;
    await watch.look();
    disk.used = { '/large': 901 * MIB, '/growing': 300 * MIB };
    disk.free = 10 * MIB - 1;
    await watch.look();
    expect([large.endedFor, growing.endedFor]).toEqual([[], ['diskFull']]);
  });

  it('ends no process that only found the disk full', async () => {
    disk.free = 10 * MIB - 1;
    disk.used = { '/large': 900 * MIB, '/small': 5 * MIB };
    const [large, small] = [add('/large'), add('/small')];
    await watch.look();
    disk.used = { '/large': 903 * MIB, '/small': 8 * MIB };
    await watch.look();
    expect([large.endedFor, small.endedFor]).toEqual([[], []]);
    disk.used['/small'] = 10 * MIB;
    await watch.look();
    expect([large.endedFor, small.endedFor]).toEqual([[], ['diskFull']]);
  });

  it('finds who filled the disk before anything was measured', async () => {
    disk.free = 500 * MIB;
    const [filling, modest] = [add('/filling'), add('/modest')];
    disk.free = 5 * MIB;
    disk.used = { '/filling': 495 * MIB, '/modest': 3 * MIB };
    now = 500;
    await watch.look();
    expect([filling.endedFor, modest.endedFor]).toEqual([['diskFull'], []]);
  });

  it('finds who fills the disk while it is being measured', async () => {
    disk = new FakeDisk(() => (disk.free = 5 * MIB));
    watch = new ResourceWatch(limits, disk, true, () => now);
    disk.free = 500 * MIB;
    disk.used = { '/filling': 495 * MIB };
    const filling = add('/filling');
    now = 5_000;
    await watch.look();
    await watch.look();
    expect(filling.endedFor).toEqual(['diskFull']);
  });

  it('lets go of a process that is gone', async () => {
    const process = add('/w');
    process.end();
    await process.exited;
    process.memory = Infinity;
    await watch.look();
    expect(process.endedFor).toEqual([]);
  });
});
