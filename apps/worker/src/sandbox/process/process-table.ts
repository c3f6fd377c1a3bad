import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessEntry {
  pid: number;
  parent: number;
  state: string;
  /** Field 22 of /proc/<pid>/stat: with the pid it names one process for the life of the machine. */
  startTime: string;
}

/** Null when there is no such process. */
export function readProcess(pid: number): ProcessEntry | null {
  return readStat(`/proc/${pid}`, pid);
}

function readStat(directory: string, pid: number): ProcessEntry | null {
  try {
    const stat = readFileSync(`${directory}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, state: fields[0] ?? '?', parent: Number(fields[1]), startTime: fields[19] ?? '' };
  } catch {
    return null;
  }
}

export function isRunning(entry: ProcessEntry | null): entry is ProcessEntry {
  return entry !== null && entry.state !== 'Z' && entry.state !== 'X';
}

/** None where the system has no /proc. */
export function readProcesses(): ProcessEntry[] {
  if (!existsSync('/proc/self/stat')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** The pid that a process has in its own, innermost namespace. */
export function innerPid(pid: number): number | null {
  try {
    const line = /^NSpid:(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(line?.trim().split(/\s+/).at(-1));
  } catch {
    return null;
  }
}

/**
 * Every process below `root`, itself excluded. Orphans of a PID namespace hang below its init, so none can slip out by
 * re-parenting.
 */
export function descendantsOf(root: number, table: readonly ProcessEntry[] = readProcesses()): ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table) {
    const siblings = children.get(entry.parent);
    if (siblings) siblings.push(entry);
    else children.set(entry.parent, [entry]);
  }
  const found: ProcessEntry[] = [];
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const child of children.get(pid) ?? []) {
      found.push(child);
      open.push(child.pid);
    }
  }
  return found;
}

/**
 * The same by following each process's children: cheap on a busy host, but a child can be missed while its sibling
 * ends. For looking, not for making sure that nothing is left.
 */
export function glanceBelow(root: number): ProcessEntry[] {
  const found: ProcessEntry[] = [];
  const open = childPids(root);
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const entry = readProcess(pid);
    if (!entry) continue;
    found.push(entry);
    open.push(...childPids(pid));
  }
  return found;
}

function childPids(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
      const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').trim();
      return children === '' ? [] : children.split(' ').map(Number);
    });
  } catch {
    return [];
  }
}

interface ProcessUse {
  /**
   * Bytes that only this process keeps alive: anonymous, shared and swapped memory, without the pages of mapped files.
   */
  privateBytes: number;
  threads: number;
}

/** Nothing, once it is gone. */
export function useOf(pid: number): ProcessUse {
  return useAt(`/proc/${pid}`);
}

/**
 * What each process of an init's PID namespace takes, without the init: by the namespace's own /proc, in one read for
 * each, where following children needs four and finding a process's children takes the longer the more it has. Null
 * when it cannot be read.
 */
export function usesInNamespaceOf(init: ProcessEntry): ProcessUse[] | null {
  return pidsInNamespaceOf(init)?.map((pid) => useAt(`${tableOf(init)}/${pid}`)) ?? null;
}

/**
 * The processes of an init's PID namespace, by their numbers in there, without the init. Null when they cannot be read,
 * and while the init does not have its own /proc yet: until it has changed its root, what is there is the host's.
 */
export function pidsInNamespaceOf(init: ProcessEntry): number[] | null {
  if (readStat(`${tableOf(init)}/1`, init.pid)?.startTime !== init.startTime) return null;
  try {
    return readdirSync(tableOf(init))
      .map(Number)
      .filter((pid) => pid > 1);
  } catch {
    return null;
  }
}

function tableOf({ pid }: ProcessEntry): string {
  return `/proc/${pid}/root/proc`;
}

function useAt(directory: string): ProcessUse {
  try {
    const status = readFileSync(`${directory}/status`, 'latin1');
    const bytes = [...status.matchAll(/^(?:RssAnon|RssShmem|VmSwap):\s*(\d+) kB$/gm)].reduce(
      (sum, match) => sum + Number(match[1]) * 1024,
      0,
    );
    return { privateBytes: bytes, threads: Number(/^Threads:\s*(\d+)$/m.exec(status)?.[1] ?? 0) };
  } catch {
    return { privateBytes: 0, threads: 0 };
  }
}

/** How many inotify instances a process has open; 0 when it is gone or does not let itself be looked at. */
export function inotifyInstancesOf(pid: number): number {
  try {
    const directory = `/proc/${pid}/fd`;
    return readdirSync(directory).filter((descriptor) => linkOf(`${directory}/${descriptor}`) === 'anon_inode:inotify')
      .length;
  } catch {
    return 0;
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** Signals a process only while it is still the one that was read; false when it is gone. */
export function signalProcess(entry: Pick<ProcessEntry, 'pid' | 'startTime'>, signal: NodeJS.Signals): boolean {
  if (readProcess(entry.pid)?.startTime !== entry.startTime) return false;
  try {
    return process.kill(entry.pid, signal);
  } catch {
    return false;
  }
}
