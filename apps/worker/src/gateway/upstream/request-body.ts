import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** What one request holds of the memory that all requests of a process share. */
export interface BodyShare {
  /** False when there is no more. */
  take(bytes: number): boolean;
  giveBack(): void;
}

/**
 * The memory that the bodies of one process's requests may take together: many at once are no way to end the worker.
 */
export class BodyMemory {
  private free: number;

  constructor(mostBytes: number) {
    this.free = mostBytes;
  }

  share(): BodyShare {
    let taken = 0;
    return {
      take: (bytes) => {
        if (bytes > this.free) return false;
        this.free -= bytes;
        taken += bytes;
        return true;
      },
      giveBack: () => {
        this.free += taken;
        taken = 0;
      },
    };
  }
}

/** A body that is not read on: it is larger than it may be, or others hold the memory. */
export class BodyRefused extends Error {
  constructor(readonly why: 'size' | 'busy') {
    super(why);
  }
}

/**
 * The whole body. Rejects with BodyRefused when it is larger than `limitBytes` or there is no room for it, and when the
 * client goes away.
 */
export function readBody(request: IncomingMessage, limitBytes: number, share: BodyShare): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.reject(new BodyRefused('size'));
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] | null = [];
    let bytes = 0;
    const refuse = (why: 'size' | 'busy') => {
      chunks = null;
      share.giveBack();
      reject(new BodyRefused(why));
    };
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (chunks === null) return;
      if (bytes > limitBytes) refuse('size');
      else if (!share.take(chunk.length)) refuse('busy');
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks ?? [])));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the client went away')));
  });
}

/** At most `limitBytes` of a reply, for one that is kept whole before it is passed on. Never rejects. */
export function readAtMost(response: Readable, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, limitBytes - bytes);
      bytes += part.length;
      chunks.push(part);
    });
    response.once('close', () => resolve(Buffer.concat(chunks)));
    response.once('error', () => undefined);
  });
}
