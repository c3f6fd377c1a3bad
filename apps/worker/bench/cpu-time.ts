import { readdirSync, readFileSync } from 'node:fs';

/** Kernel clock ticks a second, as Linux reports them to programs everywhere. */
const TICKS = 100;

/** Seconds of processor time used so far by what lives below this process and what it has waited for, without itself. */
export function cpuSecondsOfChildren(): number {
  const { user, system } = process.cpuUsage();
  return cpuSecondsOfTree(process.pid) - (user + system) / 1e6;
}

function cpuSecondsOfTree(pid: number): number {
  const table = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const entry = readStat(Number(name));
    if (entry) table.set(Number(name), entry);
  }
  let ticks = 0;
  for (const [one, { ticks: used }] of table) if (isBelow(one, pid, table)) ticks += used;
  return ticks / TICKS;
}

function readStat(pid: number): { parent: number; ticks: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15);
    return { parent, ticks: utime + stime + cutime + cstime };
  } catch {
    return null;
  }
}

function isBelow(pid: number, root: number, table: Map<number, { parent: number }>): boolean {
  for (let at = pid, steps = 0; at > 0 && steps < 64; steps += 1) {
    if (at === root) return true;
    at = table.get(at)?.parent ?? 0;
  }
  return false;
}
