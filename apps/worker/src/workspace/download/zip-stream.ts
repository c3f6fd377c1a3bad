import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib';
import { centralRecord, dataDescriptor, endRecords, localHeader, type ZipRecord } from './zip-records';

export interface ZipEntry {
  name: Buffer;
  mode: number;
  mtime: Date;
  bytes: number;
  content: AsyncIterable<Buffer>;
}

const LEVEL = { level: 1 };
/** What is no larger is compressed whole, so that its sizes stand before it. */
const AT_ONCE_BYTES = 256 * 1024;
const compress = promisify(deflateRaw) as (content: Buffer, options: object) => Promise<Buffer>;

/**
 * A zip archive of these entries, as they come. Only the list of them is kept in memory: some hundred bytes for each.
 */
export async function* zipStream(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const central: Buffer[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const record = { ...startOf(entry), offset };
    const pieces = entry.bytes <= AT_ONCE_BYTES ? wholeEntry(record, entry) : streamedEntry(record, entry);
    for await (const piece of pieces) {
      offset += piece.length;
      yield piece;
    }
    central.push(centralRecord(record));
  }
  const start = offset;
  for (const record of central) offset += record.length;
  yield* central;
  yield endRecords({ entries: central.length, bytes: offset - start, offset: start });
}

function startOf({ name, mode, mtime, bytes }: ZipEntry): Omit<ZipRecord, 'offset'> {
  const streamed = bytes > AT_ONCE_BYTES;
  return { name, mode, mtime, method: 'stored', crc: 0, compressedBytes: bytes, bytes, streamed };
}

async function* wholeEntry(record: ZipRecord, { content }: ZipEntry): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  const small = whole.length === 0 ? whole : await compress(whole, LEVEL);
  const isSmaller = small.length < whole.length;
  record.crc = crc32(whole);
  record.bytes = whole.length;
  record.method = isSmaller ? 'deflated' : 'stored';
  record.compressedBytes = isSmaller ? small.length : whole.length;
  yield localHeader(record);
  yield isSmaller ? small : whole;
}

async function* streamedEntry(record: ZipRecord, { content }: ZipEntry): AsyncGenerator<Buffer> {
  record.method = 'deflated';
  yield localHeader(record);
  let [bytes, compressedBytes] = [0, 0];
  const counted = async function* () {
    for await (const chunk of content) {
      record.crc = crc32(chunk, record.crc);
      bytes += chunk.length;
      yield chunk;
    }
  };
  // An error of the content is the error of what is read below.
  const deflated = pipeline(counted(), createDeflateRaw(LEVEL), () => undefined);
  for await (const piece of deflated) {
    compressedBytes += (piece as Buffer).length;
    yield piece as Buffer;
  }
  record.bytes = bytes;
  record.compressedBytes = compressedBytes;
  yield dataDescriptor(record);
}
