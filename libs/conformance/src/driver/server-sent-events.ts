type ServerSentEvent = { id: string; event: string; data: string };

/** The messages of a `text/event-stream` body, each once its blank line has come. */
export async function* serverSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let open = '';
  for await (const chunk of body) {
    open += decoder.decode(chunk, { stream: true }).replaceAll('\r\n', '\n');
    const blocks = open.split('\n\n');
    open = blocks.pop() ?? '';
    for (const block of blocks) {
      const message = messageOf(block);
      if (message) yield message;
    }
  }
}

function messageOf(block: string): ServerSentEvent | null {
  const message = { id: '', event: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'id' || field === 'event') message[field] = value;
  }
  return data.length === 0 && message.event === 'message' ? null : { ...message, data: data.join('\n') };
}
