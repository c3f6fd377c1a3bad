/** One entry of a zip archive, as its records say it. */
export interface ZipRecord {
  name: Buffer;
  /** With the kind of file, as in a Unix inode. */
  mode: number;
  mtime: Date;
  method: 'stored' | 'deflated';
  crc: number;
  compressedBytes: number;
  bytes: number;
  /** Sizes and checksum follow the content, because they were not known before it. */
  streamed: boolean;
  offset: number;
}

const SIGNATURE = { local: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50, end: 0x06054b50 };
const SIGNATURE_64 = { end: 0x06064b50, locator: 0x07064b50 };
const FLAG = { streamed: 1 << 3, utf8: 1 << 11 };
/** Version 4.5 of the format, made on Unix: names and modes are Unix's. */
const MADE_BY = (3 << 8) | 45;
const VERSION = 45;
const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;
/** From here on a size is written in 64 bits; a compressed file may be a little larger than the file. */
const LARGE_BYTES = 0xf0000000;
const DIRECTORY_ATTRIBUTE = 0x10;

export function localHeader(record: ZipRecord): Buffer {
  const { crc, compressedBytes, bytes, streamed } = record;
  const extra = Buffer.concat([timeField(record.mtime), ...(isLarge(record) ? [sizeField([0, 0])] : [])]);
  const sizes = streamed ? (isLarge(record) ? [0, MAX_32, MAX_32] : [0, 0, 0]) : [crc, compressedBytes, bytes];
  const head = Buffer.alloc(30);
  head.writeUInt32LE(SIGNATURE.local, 0);
  head.writeUInt16LE(VERSION, 4);
  writeCommon(head, 6, record, sizes);
  head.writeUInt16LE(record.name.length, 26);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, record.name, extra]);
}

export function dataDescriptor(record: ZipRecord): Buffer {
  const { crc, compressedBytes, bytes } = record;
  const large = isLarge(record);
  const descriptor = Buffer.alloc(large ? 24 : 16);
  descriptor.writeUInt32LE(SIGNATURE.descriptor, 0);
  descriptor.writeUInt32LE(crc, 4);
  if (large) {
    descriptor.writeBigUInt64LE(BigInt(compressedBytes), 8);
    descriptor.writeBigUInt64LE(BigInt(bytes), 16);
  } else {
    descriptor.writeUInt32LE(compressedBytes, 8);
    descriptor.writeUInt32LE(bytes, 12);
  }
  return descriptor;
}

export function centralRecord(record: ZipRecord): Buffer {
  const { name, mode, crc, compressedBytes, bytes, offset } = record;
  const large = [bytes, compressedBytes, offset].some((value) => value >= LARGE_BYTES);
  const wide = large ? [sizeField([bytes, compressedBytes, offset])] : [];
  const extra = Buffer.concat([timeField(record.mtime), ...wide]);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(SIGNATURE.central, 0);
  head.writeUInt16LE(MADE_BY, 4);
  head.writeUInt16LE(VERSION, 6);
  writeCommon(head, 8, record, large ? [crc, MAX_32, MAX_32] : [crc, compressedBytes, bytes]);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  const isDirectory = name.at(-1) === 0x2f;
  head.writeUInt32LE(((mode << 16) | (isDirectory ? DIRECTORY_ATTRIBUTE : 0)) >>> 0, 38);
  head.writeUInt32LE(large ? MAX_32 : offset, 42);
  return Buffer.concat([head, name, extra]);
}

/** The records at the end of the archive; those of 64 bits only where they are needed. */
export function endRecords({ entries, bytes, offset }: { entries: number; bytes: number; offset: number }): Buffer {
  const needsWide = entries >= MAX_16 || bytes >= MAX_32 || offset >= MAX_32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(SIGNATURE.end, 0);
  end.writeUInt16LE(Math.min(entries, MAX_16), 8);
  end.writeUInt16LE(Math.min(entries, MAX_16), 10);
  end.writeUInt32LE(Math.min(bytes, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  return needsWide ? Buffer.concat([wideEnd({ entries, bytes, offset }), end]) : end;
}

function wideEnd({ entries, bytes, offset }: { entries: number; bytes: number; offset: number }): Buffer {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(SIGNATURE_64.end, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(MADE_BY, 12);
  record.writeUInt16LE(VERSION, 14);
  record.writeBigUInt64LE(BigInt(entries), 24);
  record.writeBigUInt64LE(BigInt(entries), 32);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(SIGNATURE_64.locator, 0);
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator]);
}

/** Whether both sizes are written in 64 bits in the records around the content. */
function isLarge({ bytes }: ZipRecord): boolean {
  return bytes >= LARGE_BYTES;
}

function writeCommon(head: Buffer, at: number, record: ZipRecord, [crc = 0, compressed = 0, bytes = 0]: number[]) {
  const { method, mtime, name, streamed } = record;
  head.writeUInt16LE((streamed ? FLAG.streamed : 0) | (isUtf8(name) ? FLAG.utf8 : 0), at);
  head.writeUInt16LE(method === 'deflated' ? 8 : 0, at + 2);
  head.writeUInt32LE(dosTime(mtime), at + 4);
  head.writeUInt32LE(crc, at + 8);
  head.writeUInt32LE(compressed, at + 12);
  head.writeUInt32LE(bytes, at + 16);
}

/** A name that is not UTF-8 goes without the flag: on Unix it is then taken as its bytes. */
function isUtf8(name: Buffer): boolean {
  return Buffer.from(name.toString('utf8')).equals(name);
}

/** In UTC and whole two seconds, from 1980 on. The exact time is in another field. */
function dosTime(time: Date): number {
  const year = Math.min(Math.max(time.getUTCFullYear() - 1980, 0), 127);
  const date = (year << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return ((date << 16) | clock) >>> 0;
}

function timeField(mtime: Date): Buffer {
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x5455, 0);
  field.writeUInt16LE(5, 2);
  field.writeUInt8(1, 4);
  field.writeInt32LE(Math.min(Math.trunc(mtime.getTime() / 1000), 0x7fffffff), 5);
  return field;
}

function sizeField(sizes: number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * sizes.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * sizes.length, 2);
  sizes.forEach((size, index) => field.writeBigUInt64LE(BigInt(size), 4 + 8 * index));
  return field;
}
