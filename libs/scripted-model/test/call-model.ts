import { request } from 'node:http';
import type { ScriptedModel } from '../src';

export type StreamedEvent = { type: string } & Record<string, unknown>;
export type Answer = {
  status: number;
  headers: Record<string, unknown>;
  body: string;
  events: StreamedEvent[];
  ended: boolean;
  chunks: Buffer[];
};

/** Sends one request to a scripted model and collects what comes back, to its end or until the connection is gone. */
export function callModel(
  model: ScriptedModel,
  body: unknown,
  path = '/v1/messages?beta=true',
  method = 'POST',
): Promise<Answer> {
  const url = new URL(model.url);
  const target = model.socketPath === null ? { host: url.hostname, port: url.port } : { socketPath: model.socketPath };
  return new Promise((resolve, reject) => {
    const call = request(
      {
        ...target,
        path,
        method,
        agent: false,
        headers: { 'content-type': 'application/json', 'x-api-key': 'sk-ant-not-a-real-key' },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => undefined);
        response.on('close', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text,
            events: eventsOf(text),
            ended: response.complete,
            chunks,
          });
        });
      },
    );
    call.on('error', reject);
    call.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

export function userMessage(content: unknown): { role: string; content: unknown } {
  return { role: 'user', content };
}

/** A streaming request with the tools that the program usually offers. */
export function modelRequest(...messages: unknown[]): Record<string, unknown> {
  const tools = ['Bash', 'Edit', 'Read', 'Write', 'Agent', 'AskUserQuestion'].map((name) => ({
    name,
    input_schema: {},
  }));
  return {
    model: 'claude-sonnet-5-5',
    max_tokens: 1_000,
    stream: true,
    system: 'Primary working directory: /workspace\n',
    tools,
    messages,
  };
}

/** The texts, thoughts and tool calls of a streamed answer, put together again. */
export function contentOf({ events }: Answer): { type: string; value: string; name?: string }[] {
  const blocks: { type: string; value: string; name?: string }[] = [];
  for (const event of events) {
    if (event.type === 'content_block_start') {
      const block = event['content_block'] as { type: string; name?: string };
      blocks.push({ type: block.type, value: '', ...(block.name === undefined ? {} : { name: block.name }) });
    } else if (event.type === 'content_block_delta') {
      const delta = event['delta'] as Record<string, string | undefined>;
      const last = blocks.at(-1);
      if (last) last.value += delta['text'] ?? delta['thinking'] ?? delta['partial_json'] ?? '';
    }
  }
  return blocks;
}

function eventsOf(text: string): StreamedEvent[] {
  return text
    .split('\n\n')
    .flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? [])
    .flatMap((data) => {
      try {
        return [JSON.parse(data) as StreamedEvent];
      } catch {
        return [];
      }
    });
}
