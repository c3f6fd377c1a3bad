import fc from 'fast-check';
import { NOISE_SAMPLE_CHARS } from '../../harness';
import { MAX_LINE_BYTES, NdjsonFramer } from './ndjson-framer';

type Call = ['line', string] | ['noise', string] | ['too long', number];

function frame(chunks: readonly Buffer[], maxLineBytes?: number): Call[] {
  const calls: Call[] = [];
  const framer = new NdjsonFramer({
    maxLineBytes,
    onLine: (line) => calls.push(['line', line]),
    onNoise: (_reason, sample) => calls.push(['noise', sample]),
    onTooLong: (bytes) => calls.push(['too long', bytes]),
  });
  for (const chunk of chunks) framer.push(chunk);
  framer.end();
  return calls;
}

const lines = (calls: Call[]) => calls.filter(([what]) => what === 'line').map(([, line]) => line);

function cut(bytes: Buffer, points: readonly number[]): Buffer[] {
  const at = [
    0,
    ...[...new Set(points.map((point) => point % (bytes.length + 1)))].sort((a, b) => a - b),
    bytes.length,
  ];
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end));
}

/** Texts with everything that a cut, a line splitter or a decoder could trip over. */
const awkward = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u2028',
      '\u2029',
      '\u0085',
      '\r',
      '\n',
      '\t',
      '"',
      '\\',
      '{',
      '🎉',
      '你',
      'é',
      '👩‍👩‍👧‍👦',
      '\ud83c',
      '\u0000',
      '\ufeff',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});
const record = fc.record({ text: awkward, more: fc.array(awkward, { maxLength: 3 }) });
const pieceOfStream = fc.oneof(
  { weight: 6, arbitrary: record.map((value) => Buffer.from(JSON.stringify(value))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '   ', '\r', 'plain noise', '[1,2]', '{"half":').map((text) => Buffer.from(text)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
);
const stream = fc
  .tuple(fc.array(fc.tuple(pieceOfStream, fc.constantFrom('\n', '\r\n')), { maxLength: 12 }), pieceOfStream)
  .map(([pieces, last]) => Buffer.concat([...pieces.flatMap(([bytes, end]) => [bytes, Buffer.from(end)]), last]));

describe('reading lines', () => {
  it('says the same for any cut of the same bytes', () => {
    fc.assert(
      fc.property(
        stream,
        fc.array(fc.nat(), { maxLength: 40 }),
        fc.constantFrom(undefined, 1, 7, 64),
        (bytes, points, cap) => {
          expect(frame(cut(bytes, points), cap)).toEqual(frame([bytes], cap));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('says the same byte by byte', () => {
    fc.assert(
      fc.property(stream, (bytes) => {
        expect(frame([...bytes].map((byte) => Buffer.from([byte])))).toEqual(frame([bytes]));
      }),
      { numRuns: 100 },
    );
  });

  it('gives back every record whole, whatever its text and the cuts', () => {
    fc.assert(
      fc.property(
        fc.array(record),
        fc.array(fc.nat(), { maxLength: 40 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (records, points, end, closed) => {
          const text =
            records.map((value) => JSON.stringify(value)).join(end) + (closed && records.length > 0 ? end : '');
          const read = lines(frame(cut(Buffer.from(text), points))).map(
            (line) => JSON.parse(line as string) as unknown,
          );
          expect(read).toEqual(records);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('split-utf8: never damages a character that a pipe boundary cuts', () => {
    const line = JSON.stringify({ text: '你好 🎉 é', filler: 'x'.repeat(64 * 1024) + '🎉' });
    const bytes = Buffer.from(`${line}\n`);
    for (let point = bytes.length - 12; point < bytes.length; point += 1) {
      expect(frame([bytes.subarray(0, point), bytes.subarray(point)])).toEqual([['line', line]]);
    }
    expect(
      lines(frame([...bytes.subarray(0, 64)].map((byte) => Buffer.from([byte])).concat(bytes.subarray(64)))).join(),
    ).not.toContain('\ufffd');
  });

  it('splits on \\n only: U+2028, U+2029 and U+0085 are text', () => {
    expect(lines(frame([Buffer.from('{"a":"x\u2028y\u2029z\u0085"}\n{"b":1}\n')]))).toEqual([
      '{"a":"x\u2028y\u2029z\u0085"}',
      '{"b":1}',
    ]);
  });

  it('tolerates CRLF, blank lines and a byte order mark', () => {
    expect(frame([Buffer.from('\ufeff{"a":1}\r\n\r\n  \n\n{"b":2}\r\n')])).toEqual([
      ['line', '{"a":1}'],
      ['line', '{"b":2}'],
    ]);
  });

  it('reads a record behind a byte order mark wherever it stands, also one that comes in pieces', () => {
    const bytes = Buffer.from('{"a":1}\n\ufeff{"b":2}\n\ufeff\ufeff{"c":"\ufeff"}\n\ufeff\n');
    const expected: Call[] = [
      ['line', '{"a":1}'],
      ['line', '{"b":2}'],
      ['line', '{"c":"\ufeff"}'],
    ];
    expect(frame([bytes])).toEqual(expected);
    expect(frame([...bytes].map((byte) => Buffer.from([byte])))).toEqual(expected);
  });

  it('no-trailing-newline: a last line without its end is a line', () => {
    expect(frame([Buffer.from('{"a":1}\n{"type":"res'), Buffer.from('ult"}')])).toEqual([
      ['line', '{"a":1}'],
      ['line', '{"type":"result"}'],
    ]);
  });

  it('hands over what cannot be JSON as a sample, and continues', () => {
    const noise = `Warning: ${'é'.repeat(100_000)}`;
    expect(frame([Buffer.from(`${noise}\n{"a":1}\n`)])).toEqual([
      ['noise', noise.slice(0, NOISE_SAMPLE_CHARS)],
      ['line', '{"a":1}'],
    ]);
  });

  it('wedged-session: drops a line over the limit, says how long it was, and reads on', () => {
    const long = Buffer.from(`{"a":"${'x'.repeat(100)}"}`);
    const bytes = Buffer.concat([Buffer.from('{"a":1}\n'), long, Buffer.from('\n{"b":2}\n'), long]);
    const expected: Call[] = [
      ['line', '{"a":1}'],
      ['too long', long.length],
      ['line', '{"b":2}'],
      ['too long', long.length],
    ];
    expect(frame([bytes], 64)).toEqual(expected);
    expect(
      frame(
        [...bytes].map((byte) => Buffer.from([byte])),
        64,
      ),
    ).toEqual(expected);
  });

  it('accepts a line of exactly the limit', () => {
    expect(frame([Buffer.from('{"a":12}\n{"a":123}\n')], 8)).toEqual([
      ['line', '{"a":12}'],
      ['too long', 9],
    ]);
  });

  describe('with a line that never ends', () => {
    it('says so as soon as the limit is passed, once', () => {
      const overflows: number[] = [];
      const framer = new NdjsonFramer({
        maxLineBytes: 8,
        onLine: () => undefined,
        onNoise: () => undefined,
        onTooLong: () => undefined,
        onOverflow: (bytes) => overflows.push(bytes),
      });
      for (let at = 0; at < 10; at += 1) framer.push(Buffer.from('xxxx'));
      expect(overflows).toEqual([12]);
    });

    it('keeps no more than the limit in memory', () => {
      const allocated = jest.spyOn(Buffer, 'allocUnsafeSlow');
      const chunk = Buffer.alloc(1024 * 1024, 'x');
      const calls = frame(Array.from({ length: 200 }, () => chunk));
      expect(calls).toEqual([['too long', 200 * 1024 * 1024]]);
      const sizes = allocated.mock.calls.map(([size]) => size);
      allocated.mockRestore();
      expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_LINE_BYTES);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3 * MAX_LINE_BYTES);
    });
  });

  describe('huge-line: the work is linear', () => {
    /** Bytes that reading a line of this size moves, in pieces of this size. */
    function bytesCopied(size: number, piece: number): number {
      const bytes = Buffer.from(`{"data":"${'A'.repeat(size)}"}\n`);
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += piece) chunks.push(bytes.subarray(at, at + piece));
      let copied = 0;
      const copy = Buffer.prototype.copy as (this: Buffer, ...args: unknown[]) => number;
      const spy = jest.spyOn(Buffer.prototype, 'copy').mockImplementation(function (this: Buffer, ...args: unknown[]) {
        const count = copy.apply(this, args);
        copied += count;
        return count;
      } as never);
      const read = lines(frame(chunks));
      spy.mockRestore();
      expect(read.map((line) => String(line).length)).toEqual([bytes.length - 1]);
      return copied;
    }

    it.each([
      ['2 MB in writes of 64 KB', 2 * 1024 * 1024, 64 * 1024],
      ['12 MB in writes of 64 KB', 12 * 1024 * 1024, 64 * 1024],
      ['1 MB in writes of 100 bytes', 1024 * 1024, 100],
    ])('%s moves each byte at most three times', (_name, size, piece) => {
      expect(bytesCopied(size, piece)).toBeLessThanOrEqual(3 * size);
    });
  });
});
