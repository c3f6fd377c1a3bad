import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createRecord, readRecord, writeRecord } from './record-file';

const schema = z.object({ n: z.number(), text: z.string() });

describe('a record of two slots', () => {
  let directory: string;
  let path: string;
  const read = () => readRecord(path, schema);
  const write = async (n: number, text = 'é') => writeRecord(path, { n, text }).durable;
  /** As a write leaves it that was torn: bytes of neither value in the middle. */
  const tear = (slot: number) => {
    const bytes = readFileSync(path);
    bytes.fill(0, slot * 4096 + 10, slot * 4096 + 20);
    writeFileSync(path, bytes);
  };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'record-'));
    path = join(directory, 'meta');
    return createRecord(path, { n: 0, text: 'é' });
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('reads what was written last, whichever slot has it, and stays as large as it is', async () => {
    const { ino, size, blocks } = statSync(path);
    expect(read()).toEqual({ n: 0, text: 'é' });
    for (const n of [1, 2, 3, 4, 5]) {
      await write(n);
      expect(read()).toEqual({ n, text: 'é' });
    }
    expect(statSync(path)).toMatchObject({ ino, size, blocks, mode: 0o100600 });
  });

  it('has the new value for readers before it is durable', () => {
    const { durable } = writeRecord(path, { n: 1, text: '' });
    expect(read()).toEqual({ n: 1, text: '' });
    return durable;
  });

  it.each([1, 2, 3, 4])(
    'falls back to the value before when write %i was torn, and continues from there',
    async (last) => {
      for (let n = 1; n <= last; n += 1) await write(n);
      // The first write goes over the older of the two that a new record has.
      tear((last + 1) % 2);
      expect(read()).toEqual({ n: last - 1, text: 'é' });
      await write(9);
      expect(read()).toEqual({ n: 9, text: 'é' });
    },
  );

  it('keeps the last value that is on the disk while others are on their way there', async () => {
    await write(1);
    const slotOfOne = readFileSync(path, 'utf8').indexOf('"n":1') < 4096 ? 0 : 1;
    const onTheirWay = [2, 3, 4].map((n) => writeRecord(path, { n, text: 'é' }).durable);
    expect(read()).toEqual({ n: 4, text: 'é' });
    tear(1 - slotOfOne);
    expect(read()).toEqual({ n: 1, text: 'é' });
    await Promise.all(onTheirWay);
    await write(5);
    await write(6);
    expect(read()).toEqual({ n: 6, text: 'é' });
    tear(0);
    expect(read()?.n).toBeGreaterThanOrEqual(5);
  });

  it('takes a slot for torn whose words are JSON but not what was written', async () => {
    await write(1);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"n":1', '"n":7'));
    expect(read()).toEqual({ n: 0, text: 'é' });
  });

  it('is none when it is missing, cut, empty, or not what the schema says', async () => {
    expect(readRecord(join(directory, 'other'), schema)).toBeNull();
    expect(readRecord(path, z.object({ other: z.string() }))).toBeNull();
    truncateSync(path, 20);
    expect(read()).toBeNull();
    writeFileSync(path, '');
    expect(read()).toBeNull();
    await write(5);
    expect(read()).toEqual({ n: 5, text: 'é' });
  });

  it('refuses what does not fit, keeps the old value, and makes no file by writing', () => {
    expect(() => writeRecord(path, { n: 1, text: 'x'.repeat(4_096) })).toThrow('does not fit');
    expect(read()).toEqual({ n: 0, text: 'é' });
    expect(() => writeRecord(join(directory, 'other'), { n: 1, text: '' })).toThrow('ENOENT');
    return expect(createRecord(path, { n: 1, text: '' })).rejects.toThrow('EEXIST');
  });
});
