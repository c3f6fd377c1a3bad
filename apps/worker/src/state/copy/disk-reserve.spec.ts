import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskReserve } from './disk-reserve';

const MIB = 1024 * 1024;

describe('the reserve of a disk', () => {
  let directory: string;
  let path: string;
  let freeBytes: number;
  let reserve: DiskReserve;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'chi-'));
    path = join(directory, 'reserve');
    freeBytes = 60 * MIB;
    reserve = new DiskReserve(path, () => Promise.resolve({ freeBytes, totalBytes: 100 * MIB }));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is a share of a small disk, made once, and taken up on the disk', async () => {
    await reserve.keep();
    const { size, blocks } = statSync(path);
    expect(size).toBe(5 * MIB);
    expect(blocks * 512).toBeGreaterThanOrEqual(size);
    await reserve.keep();
    expect(statSync(path).size).toBe(5 * MIB);
  });

  it('is let go when the disk is full, and made again only when there is plenty of room', async () => {
    await reserve.keep();
    freeBytes = 10 * MIB;
    await reserve.yieldWhenFull();
    expect(existsSync(path)).toBe(true);
    freeBytes = 0;
    await reserve.yieldWhenFull();
    expect(existsSync(path)).toBe(false);
    freeBytes = 30 * MIB;
    await reserve.keep();
    expect(existsSync(path)).toBe(false);
    freeBytes = 41 * MIB;
    await reserve.keep();
    expect(existsSync(path)).toBe(true);
  });

  it('does nothing where the disk cannot be measured or written', async () => {
    const blind = new DiskReserve(path, () => Promise.resolve(null));
    await blind.keep();
    await blind.yieldWhenFull();
    expect(existsSync(path)).toBe(false);
    await new DiskReserve(join(directory, 'missing', 'reserve'), () =>
      Promise.resolve({ freeBytes, totalBytes: 100 * MIB }),
    ).keep();
  });
});
