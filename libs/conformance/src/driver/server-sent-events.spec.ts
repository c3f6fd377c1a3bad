import { serverSentEvents } from './server-sent-events';

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size: number) {
  const messages = [];
  for await (const message of serverSentEvents(inPieces(text, size))) messages.push(message);
  return messages;
}

describe('server-sent events', () => {
  const text =
    ': hello\n\nid: 1\nevent: chat:delta\ndata: {"a":\ndata: "ä😀"}\n\nevent: token-expired\ndata: {}\n\nid: 2\ndata: cut';

  it.each([1, 2, 7, 1_000])('are whole in pieces of %d bytes; comments and what is cut are none', async (size) => {
    expect(await read(text, size)).toEqual([
      { id: '1', event: 'chat:delta', data: '{"a":\n"ä😀"}' },
      { id: '', event: 'token-expired', data: '{}' },
    ]);
  });
});
