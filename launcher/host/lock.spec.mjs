import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockHolder, startTimeOf, takeLock } from './lock.mjs';

/** @type {import('./identity.mjs').Owner} */
const SELF = { foreign: false };

describe('the lock of a data directory', () => {
  /** @type {string} */
  let directory;
  /** @type {string} */
  let path;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'chi-'));
    path = join(directory, 'running.json');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is refused to a second taker, who learns where the first one serves', () => {
    const first = takeLock(path, { address: 'http://127.0.0.1:3000' }, SELF);
    expect(takeLock(path, { address: 'http://127.0.0.1:4000' }, SELF)).toEqual({
      holder: { address: 'http://127.0.0.1:3000', pid: process.pid, startTime: startTimeOf(process.pid) },
    });
    first.release?.();
    expect(existsSync(path)).toBe(false);
    expect(takeLock(path, {}, SELF).release).toBeDefined();
  });

  it('is taken over from a process that died, and from one whose pid another has now', async () => {
    const gone = spawn('true');
    await once(gone, 'exit');
    for (const holder of [{ pid: gone.pid, startTime: '5' }, { pid: process.pid, startTime: 'another' }, 'not JSON']) {
      writeFileSync(path, typeof holder === 'string' ? holder : JSON.stringify(holder));
      expect(lockHolder(path)).toBeNull();
      const lock = takeLock(path, {}, SELF);
      expect(lock.release).toBeDefined();
      expect(readdirSync(directory)).toEqual(['running.json']);
      lock.release?.();
    }
  });

  it('is released only by its holder', () => {
    const lock = takeLock(path, {}, SELF);
    writeFileSync(path, JSON.stringify({ pid: 1, startTime: startTimeOf(1) }));
    lock.release?.();
    expect(existsSync(path)).toBe(true);
  });
});
