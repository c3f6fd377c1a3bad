import { readdirSync } from 'node:fs';
import {
  descendantsOf,
  pidsInNamespaceOf,
  readProcess,
  signalProcess,
  usesInNamespaceOf,
  type ProcessEntry,
} from './process-table';

const entry = (pid: number, parent: number): ProcessEntry => ({ pid, parent, state: 'S', startTime: '1' });

describe('the process table', () => {
  it('finds everything below a process and nothing beside it', () => {
    const table = [entry(1, 0), entry(10, 1), entry(11, 10), entry(12, 11), entry(13, 10), entry(20, 1), entry(21, 20)];
    expect(
      descendantsOf(10, table)
        .map(({ pid }) => pid)
        .sort(),
    ).toEqual([11, 12, 13]);
  });

  it('reads this process', () => {
    expect(readProcess(process.pid)).toEqual({
      pid: process.pid,
      parent: process.ppid,
      state: expect.stringMatching(/[RS]/),
      startTime: expect.stringMatching(/^\d+$/),
    });
    expect(readProcess(2 ** 30)).toBeNull();
  });

  it('takes no processes for those of a namespace whose /proc is not there yet', () => {
    // As an init is found that has not changed its root: the host's /proc is where its own will be.
    const unchanged = readProcess(process.pid) as ProcessEntry;
    expect(readdirSync(`/proc/${process.pid}/root/proc`)).toContain(String(process.pid));
    expect([pidsInNamespaceOf(unchanged), usesInNamespaceOf(unchanged)]).toEqual([null, null]);
  });

  it('does not signal a process that took over the pid', () => {
    expect(signalProcess({ pid: process.pid, startTime: '0' }, 'SIGKILL')).toBe(false);
  });
});
