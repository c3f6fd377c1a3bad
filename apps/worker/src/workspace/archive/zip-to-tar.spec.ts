import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32, deflateRawSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { centralRecord, endRecords, localHeader, type ZipRecord } from '../download/zip-records';
import { zipStream, type ZipEntry } from '../download/zip-stream';
import { zipToTar } from './zip-to-tar';

const LIMITS = { bytes: 100_000, entries: 20 };
type Made = { name: string | Buffer; content?: string | Buffer; mode?: number; record?: Partial<ZipRecord> };

/** An archive by hand, so that it can say what no program would write. */
function zipOf(entries: Made[], change: (archive: Buffer) => void = () => undefined): Buffer {
  const parts: Buffer[] = [];
  const records: ZipRecord[] = [];
  let offset = 0;
  for (const { name, content = '', mode = 0o100644, record } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const made: ZipRecord = {
      name: Buffer.from(name),
      mode,
      mtime: new Date('2024-02-03T04:05:06Z'),
      method: 'deflated',
      crc: crc32(bytes),
      compressedBytes: packed.length,
      bytes: bytes.length,
      streamed: false,
      offset,
      ...record,
    };
    const piece = Buffer.concat([localHeader(made), packed]);
    parts.push(piece);
    records.push(made);
    offset += piece.length;
  }
  const central = Buffer.concat(records.map(centralRecord));
  const end = endRecords({ entries: records.length, bytes: central.length, offset });
  const archive = Buffer.concat([...parts, central, end]);
  change(archive);
  return archive;
}

describe('a zip archive as a tar archive', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'chi-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const read = async (archive: Buffer, limits = LIMITS) => {
    const path = join(directory, 'a.zip');
    writeFileSync(path, archive);
    const found: [name: string, mode: string, content: string][] = [];
    const entries = extract();
    const reading = pipeline(await zipToTar(path, limits), entries as unknown as NodeJS.WritableStream);
    reading.catch(() => undefined);
    for await (const entry of entries) {
      const { name, type, mode, linkname } = entry.header;
      const chunks: Buffer[] = [];
      for await (const chunk of entry) chunks.push(chunk as Buffer);
      const content = type === 'symlink' ? linkname : Buffer.concat(chunks).toString();
      found.push([name, `${type} ${mode.toString(8)}`, content]);
    }
    await reading;
    return found;
  };

  it('has the same files, directories, programs and links, and the names that are UTF-8, said or not', async () => {
    const archive = zipOf([
      { name: 'd/', mode: 0o040755 },
      { name: 'd/日本.md', content: 'x' },
      { name: 'd/run', content: '#!', mode: 0o100755 },
      { name: 'd/link', content: '../README', mode: 0o120777 },
      { name: 'README', content: 'r' },
      { name: 'Readme', content: 'another' },
      { name: '__MACOSX/._README', content: 'junk' },
      { name: 'pipe', mode: 0o010644 },
      { name: './a//b', content: 'b' },
    ]);
    expect(await read(archive)).toEqual([
      ['d', 'directory 755', ''],
      ['d/日本.md', 'file 644', 'x'],
      ['d/run', 'file 755', '#!'],
      ['d/link', 'symlink 644', '../README'],
      ['README', 'file 644', 'r'],
      ['Readme', 'file 644', 'another'],
      ['a/b', 'file 644', 'b'],
    ]);
    const unsaid = zipOf([{ name: 'ä.txt', content: 'x' }], (bytes) => {
      bytes.writeUInt16LE(0, 6);
      bytes.writeUInt16LE(0, bytes.indexOf('PK\x01\x02') + 8);
    });
    expect(await read(unsaid)).toEqual([['ä.txt', 'file 644', 'x']]);
  });

  it('takes what this product sends, and backslashes of Windows', async () => {
    const entries = async function* (): AsyncGenerator<ZipEntry> {
      const content = async function* () {
        yield Buffer.alloc(300_000, 'x');
      };
      yield { name: Buffer.from('large'), mode: 0o100644, mtime: new Date(0), bytes: 300_000, content: content() };
    };
    const chunks: Buffer[] = [];
    for await (const chunk of zipStream(entries())) chunks.push(chunk);
    const [large] = await read(Buffer.concat(chunks), { bytes: 400_000, entries: 2 });
    expect(large?.[2].length).toBe(300_000);
    const windows = zipOf([{ name: 'a\\b.txt', content: 'x' }], (bytes) => {
      bytes.writeUInt16LE(20, bytes.indexOf('PK\x01\x02') + 4);
    });
    expect(await read(windows)).toEqual([['a/b.txt', 'file 644', 'x']]);
  });

  it.each<[string, Buffer, RegExp]>([
    ['leads out', zipOf([{ name: '../x' }]), /“\.\.\/x” leads out of the archive/],
    ['leads out further down', zipOf([{ name: 'a/../../x' }]), /leads out/],
    ['is absolute', zipOf([{ name: '/etc/passwd' }]), /absolute path/],
    ['has a drive', zipOf([{ name: 'C:\\x' }]), /absolute path/],
    ['has another encoding', zipOf([{ name: Buffer.from([0x93, 0xfa, 0x2e, 0x74]) }]), /not in UTF-8/],
    ['has a NUL', zipOf([{ name: 'a\0b' }]), /NUL/],
    ['is too long', zipOf([{ name: 'x'.repeat(300) }]), /longer than a file system takes/],
    ['is too deep', zipOf([{ name: 'a/'.repeat(100) + 'b' }]), /lies too deep: a path may have 100 parts/],
    ['is there twice', zipOf([{ name: 'a' }, { name: './a' }]), /“a” is in it twice/],
    [
      'writes through a link',
      zipOf([{ name: 'a', content: '/etc', mode: 0o120777 }, { name: 'a/passwd' }]),
      /both a file and a directory/,
    ],
    [
      'is a directory and a file',
      zipOf([{ name: 'a' }, { name: 'a/', mode: 0o040755 }]),
      /both a file and a directory/,
    ],
    [
      'is encrypted',
      zipOf([{ name: 'secret.txt', content: 'x' }], (bytes) => {
        bytes.writeUInt16LE(1, 6);
        bytes.writeUInt16LE(1, bytes.indexOf('PK\x01\x02') + 8);
      }),
      /“secret\.txt” is encrypted/,
    ],
    [
      'is compressed in another way',
      zipOf([{ name: 'a', content: 'x' }], (bytes) => {
        bytes.writeUInt16LE(14, 8);
        bytes.writeUInt16LE(14, bytes.indexOf('PK\x01\x02') + 10);
      }),
      /not known here/,
    ],
    ['is damaged', zipOf([{ name: 'a', content: 'x', record: { crc: 1 } }]), /“a” is damaged/],
    ['is larger than it says', zipOf([{ name: 'a', content: 'x'.repeat(500), record: { bytes: 10 } }]), /not a valid/],
    ['is a bomb', zipOf([{ name: 'a', content: 'x', record: { bytes: 90_000 } }]), /far more than it could be/],
    [
      'is too large',
      zipOf([
        { name: 'a', content: Buffer.alloc(99_000) },
        { name: 'b', content: Buffer.alloc(2_000) },
      ]),
      /unpacks to more/,
    ],
    ['is too many', zipOf(Array.from({ length: 21 }, (_, n) => ({ name: `f${n}` }))), /more files/],
    [
      'shares its content',
      zipOf([
        { name: 'a', content: 'x' },
        { name: 'b', content: 'x', record: { offset: 0 } },
      ]),
      /share their content/,
    ],
    ['is nothing', zipOf([]), /nothing in it/],
    ['is cut short', zipOf([{ name: 'a', content: 'x' }]).subarray(0, 40), /not a valid \.zip/],
  ])('is refused where something in it %s', async (_what, archive, reason) => {
    await expect(read(archive)).rejects.toThrow(reason);
  });
});
