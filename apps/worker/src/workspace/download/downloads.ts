import { DOWNLOAD_LIMIT_BYTES, type WantedDownload, type WorkspaceReply } from '@chirality/contracts';
import { ProblemError, RelayAbandonedError, writeRelay, type BlobStore, type Logger } from '@chirality/platform';
import type { Readable } from 'node:stream';
import type { ActContext } from '../act/act-context';
import { whileFilesMove } from '../act/while-files-move';
import { plannedDownload, type PlannedDownload } from './planned-download';
import { tarEntries } from './tar-entries';
import { zipStream } from './zip-stream';

const LIMITS = {
  running: 8,
  perSession: 3,
  perPerson: 3,
  bytes: DOWNLOAD_LIMIT_BYTES,
  wholeMs: 60 * 60_000,
  paceMs: 60_000,
  paceBytes: 1024 ** 2,
};
/** What stands before the first line end is a number or nothing. */
const MAX_HEAD_BYTES = 64;
const LINE_END = 0x0a;

type Asker = { sessionId: string; userId: string };
type Order = Asker & { relay: string; wanted: WantedDownload };
type Running = Asker & { stop: AbortController; work: Promise<unknown> };

/**
 * Sends files out of workspaces. A script in a sandbox reads and packs them; its output goes by a relay to the api that
 * asked, and the script ends when the reader leaves. Nothing of it is ever held as a whole.
 */
export class Downloads {
  private readonly running = new Set<Running>();
  private readonly limits: typeof LIMITS;

  constructor(
    private readonly blobs: BlobStore,
    private readonly log: Pick<Logger, 'warn'>,
    limits: Partial<typeof LIMITS> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
  }

  /** Answers once the first bytes are there, so that what is refused can still be said; the rest follows. */
  async open(context: ActContext, { sessionId, userId, relay, wanted }: Order): Promise<WorkspaceReply> {
    const asker = { sessionId, userId };
    this.refuseTooMany(asker);
    const planned = plannedDownload(context, wanted, this.limits.bytes);
    const bytes = await whileFilesMove(() => this.start(context, asker, relay, planned));
    return { act: 'open-download', bytes };
  }

  /** Ends all that run; their readers learn that what they have is not whole. */
  async close(): Promise<void> {
    const running = [...this.running];
    for (const { stop } of running) stop.abort(new Error('the worker is stopping'));
    await Promise.all(running.map(({ work }) => work.catch(() => undefined)));
  }

  private refuseTooMany({ sessionId, userId }: Asker): void {
    const running = [...this.running];
    const ofSession = running.filter((one) => one.sessionId === sessionId).length;
    const ofPerson = running.filter((one) => one.userId === userId).length;
    const { limits } = this;
    if (running.length < limits.running && ofSession < limits.perSession && ofPerson < limits.perPerson) return;
    throw new ProblemError(
      'WORKSPACE_UNAVAILABLE',
      'Too many downloads are running. Wait for one of them to end, then try again.',
    );
  }

  /** The size that the script names, once it has also written the first byte after it or come to its end. */
  private start(
    { scripts, timeoutMs }: ActContext,
    asker: Asker,
    relay: string,
    { script, packAsZip }: PlannedDownload,
  ): Promise<number | null> {
    return new Promise((resolve, reject) => {
      let isOpen = false;
      const stop = new AbortController();
      const late = setTimeout(() => stop.abort(tooLate()), timeoutMs);
      const work = scripts.collect({ ...script, timeoutMs: this.limits.wholeMs }, async (output) => {
        const send = async () => {
          const { size, rest } = await readHead(output);
          clearTimeout(late);
          isOpen = true;
          resolve(size);
          const content = atPace(withinLimit(rest, this.limits.bytes), this.limits, stop);
          await writeRelay(this.blobs, relay, packAsZip ? zipStream(tarEntries(content)) : content);
        };
        await Promise.race([send(), untilAborted(stop.signal)]);
      });
      const running = { ...asker, stop, work };
      this.running.add(running);
      work
        .catch((error: Error) => {
          reject(error);
          if (isOpen && !(error instanceof RelayAbandonedError))
            this.log.warn({ err: error, session: asker.sessionId }, 'download.not_finished');
        })
        .finally(() => {
          clearTimeout(late);
          this.running.delete(running);
        });
    });
  }
}

/** What the script says before the first line end, and the rest, of which something is there already. */
async function readHead(output: Readable): Promise<{ size: number | null; rest: AsyncGenerator<Buffer> }> {
  const chunks = output[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let head = Buffer.alloc(0);
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
    const end = head.indexOf(LINE_END);
    if (end < 0 && head.length > MAX_HEAD_BYTES) throw new Error('the script did not say what it sends');
    if (end >= 0 && end + 1 < head.length) break;
  }
  const end = head.indexOf(LINE_END);
  const line = head.toString('utf8', 0, Math.max(end, 0));
  return { size: line === '' ? null : Number(line), rest: continued(head.subarray(end + 1), chunks) };
}

async function* continued(first: Buffer, chunks: AsyncIterator<Buffer, undefined>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
}

async function* withinLimit(content: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    // An archive has a little beside its files.
    if (bytes > limitBytes * 1.1) throw new Error('more was written than a download may be');
    yield chunk;
  }
}

/** Ends what its reader takes too slowly: it holds a place that others wait for. */
async function* atPace(
  content: AsyncIterable<Buffer>,
  { paceMs, paceBytes }: Pick<typeof LIMITS, 'paceMs' | 'paceBytes'>,
  stop: AbortController,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  const looking = setInterval(() => {
    if (bytes < paceBytes) stop.abort(new Error(`fewer than ${paceBytes} bytes were read in ${paceMs} ms`));
    bytes = 0;
  }, paceMs);
  try {
    for await (const chunk of content) {
      bytes += chunk.length;
      yield chunk;
    }
  } finally {
    clearInterval(looking);
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
}

function tooLate(): ProblemError {
  return new ProblemError('WORKSPACE_UNAVAILABLE', 'The files could not be collected in time. Try a smaller folder.');
}
