import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileBlobStore } from '@chirality/platform';
import { RawLog, rawLogKey } from './raw-log';

describe('the raw log of a turn', () => {
  let root: string;
  let blobs: FileBlobStore;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'raw-'));
    blobs = new FileBlobStore(join(root, 'blobs'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('keeps the bytes of all attempts as they came, and nothing local after it is stored', async () => {
    const errors: Error[] = [];
    const log = new RawLog(join(root, 'raw'), 'turn_1', (error) => errors.push(error));
    const bytes = [Buffer.from([0xff, 0x00, 0x0a]), Buffer.from('{"half'), Buffer.from('":1}')];
    for (const chunk of bytes) log.write('raw', chunk);
    await log.store(blobs);
    const stored = readFileSync(join(root, 'blobs', rawLogKey('turn_1', 'raw')));
    expect(stored.equals(Buffer.concat(bytes))).toBe(true);
    expect(existsSync(join(root, 'raw', 'turn_1'))).toBe(false);
    expect(await blobs.exists(rawLogKey('turn_1', 'stderr'))).toBe(false);
    expect(errors).toEqual([]);
  });

  it('keeps the beginning of a flood, and nothing of what comes after the turn', async () => {
    const errors: Error[] = [];
    const log = new RawLog(join(root, 'raw'), 'turn_1', (error) => errors.push(error));
    for (let written = 0; written < 40; written += 1) log.write('stderr', Buffer.alloc(1024 * 1024, 'x'));
    await log.store(blobs);
    log.write('raw', Buffer.from('late'));
    expect(readFileSync(join(root, 'blobs', rawLogKey('turn_1', 'stderr'))).length).toBe(16 * 1024 * 1024);
    expect(existsSync(join(root, 'raw', 'turn_1'))).toBe(false);
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('the rest is not kept')]);
  });

  it('reports a disk that cannot be written and throws nothing', async () => {
    const errors: Error[] = [];
    writeFileSync(join(root, 'raw'), 'in the way');
    const log = new RawLog(join(root, 'raw'), 'turn_1', (error) => errors.push(error));
    log.write('raw', Buffer.from('lost'));
    await log.store(blobs);
    expect(errors.length).toBeGreaterThan(0);
  });

  it('leaves the files, and none of them open, where they cannot be stored', async () => {
    const errors: Error[] = [];
    const log = new RawLog(join(root, 'raw'), 'turn_1', (error) => errors.push(error));
    log.write('raw', Buffer.from('out'));
    log.write('stderr', Buffer.from('err'));
    const away = { put: () => Promise.reject(new Error('the store is away')) };
    await log.store(away as unknown as FileBlobStore);
    expect(errors).toMatchObject([{ message: 'the store is away' }]);
    expect(readdirSync(join(root, 'raw', 'turn_1')).sort()).toEqual(['raw.ndjson', 'stderr.log']);
    expect(openFilesBelow(root)).toEqual([]);
  });
});

function openFilesBelow(directory: string): string[] {
  const target = (descriptor: string): string => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return '';
    }
  };
  return readdirSync('/proc/self/fd')
    .map(target)
    .filter((path) => path.startsWith(directory));
}
