import { glanceBelow, useOf } from '../sandbox/process-table';

/** Memory that the processes below `pid` share with nobody, in bytes. */
export function residentBytesBelow(pid: number): number {
  return glanceBelow(pid).reduce((sum, entry) => sum + useOf(entry.pid).privateBytes, 0);
}
