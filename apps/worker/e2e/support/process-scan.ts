import { readdirSync, readFileSync } from 'node:fs';
import { waitFor } from '@chirality/testing';

/**
 * A command that ends long after its test, as no test file that runs at the same time starts it: they are other
 * processes.
 */
export const LONG_SLEEP = `sleep ${80_000 + process.pid}`;

type Seen = { pid: number; parent: number; command: string };

/** Every live process of the machine, without zombies. */
function processes(): Seen[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (look(Number(name)) ?? []) : []));
}

/**
 * What runs for turns of a session, or of all: the sandboxes that have a way to the model, with all that is in them.
 */
export function turnProcesses(sessionId = ''): Seen[] {
  const all = processes();
  const roots = all.filter(
    ({ command }) => /(^|\/)bwrap /.test(command) && command.includes('/run/model.sock') && command.includes(sessionId),
  );
  const found = new Set(roots);
  for (let grown = -1; grown !== found.size;) {
    grown = found.size;
    const pids = new Set([...found].map(({ pid }) => pid));
    for (const one of all) if (pids.has(one.parent)) found.add(one);
  }
  return [...found];
}

/**
 * Waits until the session's program is started. From here on its sandbox dies with its worker; in the milliseconds
 * before, an init without its parent can stay behind until that worker is back (see killOrphans).
 */
export async function untilStarted(sessionId: string): Promise<void> {
  await waitFor(() => turnProcesses(sessionId).some(({ command }) => command.startsWith('/opt/claude/claude ')), {
    what: `the program of ${sessionId} is started`,
    timeoutMs: 20_000,
    everyMs: 20,
  });
}

/** Waits until nothing runs for the session; answers how long that took. */
export async function untilGone(sessionId: string, timeoutMs = 20_000): Promise<number> {
  const from = performance.now();
  await waitFor(() => turnProcesses(sessionId).length === 0, {
    what: 'no process of the session is left',
    timeoutMs,
    everyMs: 20,
  }).catch((error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(turnProcesses(sessionId))}`);
  });
  return performance.now() - from;
}

/**
 * Processes whose whole command line is `command`. A shell that will run it, and what it runs before, are not meant.
 */
export function running(command: string): Seen[] {
  return processes().filter((seen) => seen.command.trim() === command);
}

/** Processes anywhere whose command line holds `mark`, except this one's own. */
export function marked(mark: string): Seen[] {
  return processes().filter(({ pid, command }) => pid !== process.pid && command.includes(mark));
}

function look(pid: number): Seen | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return null;
    return { pid, parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') };
  } catch {
    return null;
  }
}
