import fc from 'fast-check';
import { readSse, type SseMessage } from './read-sse';

async function read(text: string, cuts: number[] = []): Promise<SseMessage[]> {
  const bytes = new TextEncoder().encode(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      places.slice(1).forEach((end, at) => controller.enqueue(bytes.subarray(places[at], end)));
      controller.close();
    },
  });
  const messages: SseMessage[] = [];
  for await (const message of readSse(body)) messages.push(message);
  return messages;
}

const TEXT =
  'retry: 5\n\n: here\n\nid: 1\nevent: chat:delta\ndata: {"a":"ü"}\n\nid: 2\r\nevent: x\r\ndata:a\r\ndata: b\r\n\r\ndata\n\nid: 3\ndata: cut';

describe('a stream of server-sent events', () => {
  it('gives its messages, and not the one that is cut off', async () => {
    expect(await read(TEXT)).toEqual([
      { event: 'chat:delta', data: '{"a":"ü"}', id: '1' },
      { event: 'x', data: 'a\nb', id: '2' },
      { event: 'message', data: '', id: null },
    ]);
  });

  it('gives the same wherever it is cut into pieces', async () => {
    const whole = await read(TEXT);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(500), { maxLength: 12 }), async (cuts) => {
        expect(await read(TEXT, cuts)).toEqual(whole);
      }),
    );
  });
});
