import { glanceBelow, useOf } from '../sandbox/process/process-table';

/** Private memory of the processes below `pid`, in bytes. */
export function residentBytesBelow(pid: number): number {
  return glanceBelow(pid).reduce((sum, entry) => sum + useOf(entry.pid).privateBytes, 0);
}
