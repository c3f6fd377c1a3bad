import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneAtATime } from './prepare.mjs';

describe('preparing a checkout', () => {
  /** @type {string} */
  let directory;
  /** @type {jest.SpyInstance<boolean>} */
  let printed;
  beforeEach(() => {
    directory = join(mkdtempSync(join(tmpdir(), 'chi-')), '.build');
    printed = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  });
  afterEach(() => {
    printed.mockRestore();
    rmSync(join(directory, '..'), { recursive: true });
  });

  it('is done by one process at a time: a second one says which one it waits for', async () => {
    /** @type {unknown[]} */
    const order = [];
    const waiting = new Promise((resolve) =>
      printed.mockImplementation((/** @type {string} */ text) => {
        resolve(text);
        return true;
      }),
    );
    const first = oneAtATime(directory, async () => {
      order.push('first begins', await waiting, 'first ends');
    });
    const second = oneAtATime(directory, async () => order.push('second'));
    await Promise.all([first, second]);
    expect(order).toEqual([
      'first begins',
      expect.stringContaining(`Process ${process.pid} is installing or building here`),
      'first ends',
      'second',
    ]);
    expect(existsSync(join(directory, 'preparing.json'))).toBe(false);
  });

  it('does not wait for one that failed, nor for one that was killed', async () => {
    await expect(oneAtATime(directory, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
    writeFileSync(
      join(directory, 'preparing.json'),
      JSON.stringify({ pid: process.pid, startTime: 'of an earlier process' }),
    );
    await expect(oneAtATime(directory, async () => 'done')).resolves.toBe('done');
    expect(printed).not.toHaveBeenCalled();
  });
});
