import fc from 'fast-check';
import { ServerSentEventReader } from './server-sent-event-reader';

function read(chunks: Buffer[], wants: (name: string | null) => boolean = () => true): string[] {
  const events: string[] = [];
  const reader = new ServerSentEventReader(wants, (data) => events.push(data));
  for (const chunk of chunks) reader.push(chunk);
  return events;
}

function cutAt(bytes: Buffer, cuts: number[]): Buffer[] {
  const points = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  return points.slice(1).map((point, index) => bytes.subarray(points[index], point));
}

describe('reading server-sent events', () => {
  const text =
    'event: a\ndata: {"t":"你好 🎉 é"}\n\n: comment\nevent: b\r\ndata: one\r\ndata: two\r\n\r\ndata: {"n":1}\n\nevent: cut\ndata: never';

  it('gives the same events wherever the bytes are cut, also inside a character', () => {
    const bytes = Buffer.from(text);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 40 }), (cuts) => {
        expect(read(cutAt(bytes, cuts))).toEqual([' {"t":"你好 🎉 é"}', ' one\n two', ' {"n":1}']);
      }),
    );
  });

  it('leaves out the data of events that are not wanted', () => {
    expect(read([Buffer.from(text)], (name) => name === 'b' || name === null)).toEqual([' one\n two', ' {"n":1}']);
  });

  it('skips a line beyond its limit and reads on behind it', () => {
    const long = Buffer.alloc(5 * 1024 * 1024, 'x');
    expect(read([Buffer.from('data: '), long, Buffer.from('\n\ndata: after\n\n')])).toEqual([' after']);
  });

  it('takes time in proportion to the bytes, however small the pieces', () => {
    const bytes = Buffer.from(`data: ${'y'.repeat(1024 * 1024)}\n\n`);
    const started = process.cpuUsage();
    expect(
      read(
        cutAt(
          bytes,
          Array.from({ length: 20_000 }, (_, index) => index * 50),
        ),
      ),
    ).toHaveLength(1);
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
  });
});
