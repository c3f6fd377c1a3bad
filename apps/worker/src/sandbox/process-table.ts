import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessEntry {
  pid: number;
  parent: number;
  state: string;
  /** Field 22 of /proc/<pid>/stat: with the pid it names one process for the life of the machine. */
  startTime: string;
}

/** Null when there is no such process. */
export function readProcess(pid: number): ProcessEntry | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, state: fields[0] ?? '?', parent: Number(fields[1]), startTime: fields[19] ?? '' };
  } catch {
    return null;
  }
}

export function isRunning(entry: ProcessEntry | null): entry is ProcessEntry {
  return entry !== null && entry.state !== 'Z' && entry.state !== 'X';
}

export function readProcesses(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** Inode of a process's PID namespace; null when it is gone or may not be inspected. */
export function pidNamespaceOf(pid: number): number | null {
  try {
    return Number(/\d+/.exec(readlinkSync(`/proc/${pid}/ns/pid`))?.[0]);
  } catch {
    return null;
  }
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

/** Every process below `root`, itself excluded. Orphans of a PID namespace hang below its init, so none can slip out by re-parenting. */
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

/** Signals a process only while it is still the one that was read; false when it is gone. */
export function signalProcess(entry: Pick<ProcessEntry, 'pid' | 'startTime'>, signal: NodeJS.Signals): boolean {
  if (readProcess(entry.pid)?.startTime !== entry.startTime) return false;
  try {
    return process.kill(entry.pid, signal);
  } catch {
    return false;
  }
}
