/** One message of a stream of server-sent events. */
export type SseMessage = { event: string; data: string; id: string | null };

/** A message without an end is a broken proxy, not an event. */
const MAX_MESSAGE_CHARACTERS = 64 * 1024 * 1024;

/**
 * The messages of a stream as they become whole, as the standard reads them. `onSign` hears of every piece that
 * arrives, comments too. What is cut off at the end is no message.
 */
export async function* readSse(
  body: ReadableStream<Uint8Array>,
  onSign: () => void = () => undefined,
): AsyncGenerator<SseMessage, void, undefined> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let message = emptyMessage();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onSign();
      rest += decoder.decode(value, { stream: true });
      if (rest.length > MAX_MESSAGE_CHARACTERS) throw new TypeError('A server-sent event has no end.');
      // A lone CR at the end may be the half of a CRLF.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line !== '') readLine(message, line);
        else {
          if (message.data !== null) yield { ...message, data: message.data };
          message = emptyMessage();
        }
      }
    }
  } finally {
    // An answer that is not read to its end keeps its connection otherwise.
    await reader.cancel().catch(() => undefined);
  }
}

type Unfinished = { event: string; data: string | null; id: string | null };

function emptyMessage(): Unfinished {
  return { event: 'message', data: null, id: null };
}

function readLine(message: Unfinished, line: string): void {
  const colon = line.indexOf(':');
  const field = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (field === 'event') message.event = value;
  else if (field === 'id') message.id = value;
  else if (field === 'data') message.data = message.data === null ? value : `${message.data}\n${value}`;
}
