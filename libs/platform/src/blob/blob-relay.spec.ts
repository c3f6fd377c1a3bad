import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { abandonRelay, newRelayId, readRelay, RELAYS, writeRelay } from './blob-relay';
import { createBlobStore, type BlobStore } from './blob-store';

describe('a stream that one process hands to another through the store', () => {
  const limits = { firstPartBytes: 1_000, partBytes: 10_000, partsAhead: 3, patienceMs: 5_000 };
  let root: string;
  let blobs: BlobStore;
  let id: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'chi-'));
    blobs = createBlobStore(`file:${root}`);
    id = newRelayId();
  });
  afterEach(() => rmSync(root, { recursive: true }));

  async function* piecesOf(content: Buffer, size = 700): AsyncGenerator<Buffer> {
    for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
  }
  const left = () => (existsSync(join(root, RELAYS)) ? readdirSync(join(root, RELAYS), { recursive: true }) : []);

  it.each([0, 1, 999, 1_000, 123_457])('arrives whole and leaves nothing: %i bytes', async (size) => {
    const content = randomBytes(size);
    const [read] = await Promise.all([
      buffer(readRelay(blobs, id, limits)),
      writeRelay(blobs, id, piecesOf(content), limits),
    ]);
    expect(read.equals(content)).toBe(true);
    expect(left()).toEqual([]);
  });

  it('gives its first bytes before the last ones are written, and never lies in the store whole', async () => {
    let taken = 0;
    let mostParts = 0;
    const content = async function* () {
      for (; taken < 400; taken++) {
        yield Buffer.alloc(1_000, taken);
        mostParts = Math.max(mostParts, left().length - 1);
      }
    };
    const writing = writeRelay(blobs, id, content(), limits);
    const reading = readRelay(blobs, id, limits)[Symbol.asyncIterator]();
    let bytes = ((await reading.next()).value as Buffer).length;
    const takenAtFirst = taken;
    for (let next = await reading.next(); !next.done; next = await reading.next())
      bytes += (next.value as Buffer).length;
    await writing;
    expect(bytes).toBe(400_000);
    expect(takenAtFirst).toBeLessThan(100);
    expect(mostParts).toBeLessThanOrEqual(limits.partsAhead + 1);
  });

  it('ends the writer when the reader leaves, before or while it reads', async () => {
    const endless = async function* () {
      for (;;) yield randomBytes(5_000);
    };
    const writing = writeRelay(blobs, id, endless(), limits);
    const reader = readRelay(blobs, id, limits);
    for await (const chunk of reader) if ((chunk as Buffer).length > 0) break;
    await expect(writing).rejects.toThrow('the reader is gone');
    expect(left()).toEqual([]);

    const unread = newRelayId();
    await abandonRelay(blobs, unread);
    await expect(writeRelay(blobs, unread, endless(), limits)).rejects.toThrow('the reader is gone');
    expect(left()).toEqual([]);
  });

  it('gives up a reader that takes nothing, and leaves nothing', async () => {
    const content = piecesOf(randomBytes(200_000));
    await expect(writeRelay(blobs, id, content, { ...limits, patienceMs: 50 })).rejects.toThrow('took nothing');
    expect(left()).toEqual([]);
  });

  it('never passes for whole when the writer failed or is gone', async () => {
    const failing = async function* () {
      yield randomBytes(20_000);
      throw new Error('the script failed');
    };
    const writing = writeRelay(blobs, id, failing(), limits);
    writing.catch(() => undefined);
    await expect(buffer(readRelay(blobs, id, limits))).rejects.toThrow('the writer could not finish');
    await expect(writing).rejects.toThrow('the script failed');
    expect(left()).toEqual([]);
    const none = readRelay(blobs, newRelayId(), { ...limits, patienceMs: 30 });
    await expect(buffer(none)).rejects.toThrow('the writer is gone');
  });

  it('is swept when neither side came back for it', async () => {
    await writeRelay(blobs, id, piecesOf(randomBytes(5_000)), limits);
    await blobs.sweep(RELAYS, 60_000);
    expect(left()).not.toEqual([]);
    const longAgo = new Date(Date.now() - 120_000);
    utimesSync(join(root, RELAYS, id), longAgo, longAgo);
    await blobs.sweep(RELAYS, 60_000);
    expect(left()).toEqual([]);
    await blobs.sweep('nothing', 0);
  });
});
