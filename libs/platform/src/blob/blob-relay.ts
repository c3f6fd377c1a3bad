import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { BlobStore } from './blob-store';

/** Where streams lie that one process hands to another; what is left there after a crash is swept. */
export const RELAYS = 'relays';

interface RelayLimits {
  /** The first part is smaller, so that a reader has something at once. */
  firstPartBytes: number;
  partBytes: number;
  /** So many parts may wait for the reader: the room that a relay takes in the store. */
  partsAhead: number;
  /** How long either side waits for the other. */
  patienceMs: number;
}

const LIMITS: RelayLimits = {
  firstPartBytes: 64 * 1024,
  partBytes: 2 * 1024 * 1024,
  partsAhead: 16,
  patienceMs: 120_000,
};
const LOOK_MS = { first: 4, last: 200 };

/** The reader is gone, or took nothing for too long. */
export class RelayAbandonedError extends Error {}

/** The writer ended before its stream did, or wrote nothing for too long: what was read is not whole. */
export class RelayBrokenError extends Error {}

/** A fresh id, for `writeRelay` in one process and `readRelay` in another. */
export function newRelayId(): string {
  return randomBytes(16).toString('hex');
}

/**
 * Hands a stream to a process that reads it with `readRelay`, by parts in the store that both use: a part is written
 * while fewer than `partsAhead` wait, so neither memory nor the store ever holds much of it. Throws RelayAbandonedError
 * when the reader is gone, and the stream's own error; the reader then learns that what it has is not whole.
 */
export async function writeRelay(
  blobs: BlobStore,
  id: string,
  content: AsyncIterable<Buffer>,
  limits: Partial<RelayLimits> = {},
): Promise<void> {
  const writer = new RelayWriter(blobs, id, { ...LIMITS, ...limits });
  try {
    for await (const chunk of content) await writer.add(chunk);
    await writer.end();
  } catch (error) {
    // Neither may hide why it ended: the reader's patience and the sweep do the rest.
    const told = error instanceof RelayAbandonedError ? blobs.delete(keyOf(id)) : writer.fail();
    await told.catch(() => undefined);
    throw error;
  }
}

/**
 * What `writeRelay` writes under this id, whenever it begins. Each part leaves the store when it was read, and the rest
 * when the stream is destroyed. It ends in RelayBrokenError when the writer did not come to its end.
 */
export function readRelay(blobs: BlobStore, id: string, limits: Partial<RelayLimits> = {}): Readable {
  return Readable.from(partsOf(blobs, id, { ...LIMITS, ...limits }), { objectMode: false });
}

/** For a reader that leaves, also before it has read anything: the writer stops at its next part. */
export async function abandonRelay(blobs: BlobStore, id: string): Promise<void> {
  if (await blobs.exists(keyOf(id, 'end'))) await blobs.delete(keyOf(id));
  else await blobs.put(keyOf(id, 'gone'), Buffer.alloc(0), { mayBeLost: true });
}

async function* partsOf(blobs: BlobStore, id: string, limits: RelayLimits): AsyncGenerator<Buffer> {
  let isWhole = false;
  try {
    for (let part = 0; ; part++) {
      const content = await nextPart(blobs, id, part, limits);
      if (content === null) break;
      for await (const chunk of content) yield chunk as Buffer;
      await blobs.delete(keyOf(id, String(part)));
    }
    isWhole = true;
  } finally {
    if (isWhole) await blobs.delete(keyOf(id));
    else await abandonRelay(blobs, id);
  }
}

/** Null after the last one. */
async function nextPart(
  blobs: BlobStore,
  id: string,
  part: number,
  { patienceMs }: RelayLimits,
): Promise<Readable | null> {
  for (const pause of pauses(patienceMs)) {
    const content = await blobs.get(keyOf(id, String(part)));
    if (content) return content;
    const end = await blobs.get(keyOf(id, 'end'));
    if (end) {
      const parts = Number(await textOf(end));
      if (Number.isNaN(parts)) throw new RelayBrokenError('the writer could not finish');
      if (part >= parts) return null;
    }
    await pause();
  }
  throw new RelayBrokenError('the writer is gone');
}

class RelayWriter {
  private chunks: Buffer[] = [];
  private bytes = 0;
  private written = 0;
  /** All parts before this one were read. */
  private taken = 0;

  constructor(
    private readonly blobs: BlobStore,
    private readonly id: string,
    private readonly limits: RelayLimits,
  ) {}

  async add(chunk: Buffer): Promise<void> {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    const { firstPartBytes, partBytes } = this.limits;
    if (this.bytes >= (this.written === 0 ? firstPartBytes : partBytes)) await this.flush();
  }

  async end(): Promise<void> {
    if (this.bytes > 0) await this.flush();
    await this.put('end', Buffer.from(String(this.written)));
  }

  async fail(): Promise<void> {
    await this.put('end', Buffer.from('failed'));
  }

  private async flush(): Promise<void> {
    await this.waitForRoom();
    await this.put(String(this.written), Buffer.concat(this.chunks));
    this.written += 1;
    this.chunks = [];
    this.bytes = 0;
  }

  private async waitForRoom(): Promise<void> {
    const { partsAhead, patienceMs } = this.limits;
    const before = this.taken;
    for (const pause of pauses(patienceMs)) {
      if (await this.blobs.exists(keyOf(this.id, 'gone'))) throw new RelayAbandonedError('the reader is gone');
      while (this.taken < this.written && !(await this.blobs.exists(keyOf(this.id, String(this.taken)))))
        this.taken += 1;
      if (this.written - this.taken < partsAhead) return;
      if (this.taken > before) return this.waitForRoom();
      await pause();
    }
    throw new RelayAbandonedError('the reader took nothing for too long');
  }

  /** Nothing of it is worth a flush of the disk: after a crash both sides are gone. */
  private async put(name: string, content: Buffer): Promise<void> {
    await this.blobs.put(keyOf(this.id, name), content, { mayBeLost: true });
  }
}

function keyOf(id: string, name?: string): string {
  return name === undefined ? `${RELAYS}/${id}` : `${RELAYS}/${id}/${name}`;
}

/** Looks often at first, and gives up after the time. */
function* pauses(patienceMs: number): Generator<() => Promise<void>> {
  const until = performance.now() + patienceMs;
  for (let ms = LOOK_MS.first; performance.now() < until; ms = Math.min(ms * 1.5, LOOK_MS.last)) yield () => delay(ms);
}

async function textOf(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
