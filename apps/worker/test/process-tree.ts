import { descendantsOf, isRunning, readProcess, type ProcessEntry } from '../src/sandbox/process/process-table';

/** A process and all below it, as they are now. */
function treeOf(pid: number): ProcessEntry[] {
  const root = readProcess(pid);
  return root === null ? [] : [root, ...descendantsOf(pid)];
}

/** Those of them that still run: a process that got the pid of another is another one. */
export function stillRunning(entries: readonly ProcessEntry[]): ProcessEntry[] {
  return entries.filter(({ pid, startTime }) => {
    const now = readProcess(pid);
    return isRunning(now) && now.startTime === startTime;
  });
}

/** What ran below a process at the moment in which it was decided to end it, and when that was. */
export function treeWhenKilled(sandboxed: { pid: number; killTree: () => void }): Promise<{
  tree: ProcessEntry[];
  atMs: number;
}> {
  const { killTree } = sandboxed;
  return new Promise((resolve) => {
    sandboxed.killTree = () => {
      resolve({ tree: treeOf(sandboxed.pid), atMs: performance.now() });
      killTree.call(sandboxed);
    };
  });
}
