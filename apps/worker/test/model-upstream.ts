import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Reply = (response: ServerResponse, request: ReceivedRequest) => unknown;

export interface ModelUpstream {
  url: string;
  requests: ReceivedRequest[];
  /** How every later request is answered. */
  reply: Reply;
  /** Closes kept connections as a service does that was idle for long. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** The service of a model whose every byte the test decides. */
export async function startModelUpstream(reply: Reply): Promise<ModelUpstream> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      requests.push(received);
      upstream.reply(response, received);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstream: ModelUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reply,
    dropConnections: () => server.closeAllConnections(),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return upstream;
}

export function event(name: string, data: Record<string, unknown>): string {
  return `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`;
}

/** A streamed answer as the service writes it. */
export function streamedAnswer(id: string, text: string, outputTokens = 12): string[] {
  const usage = {
    input_tokens: 10,
    output_tokens: 1,
    cache_read_input_tokens: 500,
    cache_creation_input_tokens: 100,
    cache_creation: { ephemeral_5m_input_tokens: 70, ephemeral_1h_input_tokens: 30 },
  };
  return [
    event('message_start', {
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model: 'claude-answering',
        content: [],
        stop_reason: null,
        usage,
      },
    }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: outputTokens },
    }),
    event('message_stop', {}),
  ];
}

export function replyStreaming(parts: string[]): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(part);
    response.end();
  };
}

/** A streamed answer in which the model calls a tool. */
export function streamedToolCall(id: string, name: string, input: Record<string, unknown>): string[] {
  const usage = { input_tokens: 20, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  return [
    event('message_start', {
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model: 'claude-answering',
        content: [],
        stop_reason: null,
        usage,
      },
    }),
    event('content_block_start', { index: 0, content_block: { type: 'tool_use', id: `toolu_${id}`, name, input: {} } }),
    event('content_block_delta', {
      index: 0,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    }),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 30 } }),
    event('message_stop', {}),
  ];
}

/** Answers the n-th request with the n-th script. */
export function inTurn(scripts: string[][]): Reply {
  let index = 0;
  return (response, request) => replyStreaming(scripts[Math.min(index++, scripts.length - 1)] ?? [])(response, request);
}
