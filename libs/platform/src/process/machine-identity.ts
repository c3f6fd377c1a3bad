import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Names the set of processes in which a pid means the same thing: this boot of this kernel and this PID namespace.
 * Two containers on one host differ, and so does one host before and after a restart.
 */
export function machineIdentity(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = readlinkSync('/proc/self/ns/pid').replace(/^pid:\[(\d+)\]$/, '$1');
    return `${boot}/${namespace}`;
  } catch {
    // Outside Linux nothing names a boot; such a machine has no sandbox either, so nothing is registered to be killed.
    return `host:${hostname()}`;
  }
}

/** When a process started, in clock ticks since boot, or null when it is gone or this system does not say. */
export function processStartTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

export type RegisteredProcess = { pid: number; startTime: string; machine: string };

/**
 * Sends a signal (default SIGKILL) only when the pid still is the very process that was registered: on this machine,
 * with that start time. False: it is gone, is another one, or belongs to another machine; nothing was signalled.
 */
export function killProcessIfSame(process_: RegisteredProcess, signal: NodeJS.Signals = 'SIGKILL'): boolean {
  const { pid, startTime, machine } = process_;
  if (pid <= 1 || machine !== machineIdentity() || processStartTime(pid) !== startTime) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
