import { diskSpace, isDiskLow } from './disk-space';

const GIB = 1024 ** 3;

describe('the space on a disk', () => {
  it.each([
    ['a tenth of a small disk', 10 * GIB, 1 * GIB, false],
    ['less than a tenth of a small disk', 10 * GIB, GIB - 1, true],
    ['little of a large disk, but enough', 2_000 * GIB, 5 * GIB, false],
    ['too little of a large disk', 2_000 * GIB, 5 * GIB - 1, true],
  ])('%s', (_what, totalBytes, freeBytes, low) => {
    expect(isDiskLow({ totalBytes, freeBytes })).toBe(low);
  });

  it('is read where there is a disk', async () => {
    const space = await diskSpace('/');
    expect(space?.totalBytes).toBeGreaterThan(space?.freeBytes ?? Infinity);
    expect(await diskSpace('/no/such/path')).toBeNull();
  });
});
