import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorReply, FaultReply, MessageReply, Pace, Reply } from '../api/reply';
import type { ApiRequest } from '../api/request';
import { estimateUsage } from '../api/usage';
import { sendMessage, streamMessage } from './write-message';

const FLUSH_BEFORE_CUT_MS = 20;

/** Writes a reply in the form that the request asked for. */
export async function answerReply(
  response: ServerResponse,
  request: ApiRequest,
  reply: Reply,
  requestId: string,
  pace: Pace,
): Promise<void> {
  if (reply.kind === 'error') return sendError(response, reply, requestId);
  if (reply.kind === 'fault') return misbehave(response, reply);
  const identity = {
    // Unique for good: transcripts and usage rows outlive this process.
    id: `msg_${randomBytes(15).toString('base64url').replace(/[-_]/g, 'x')}`,
    model: request.model,
    requestId,
    usage: { ...estimateUsage(request, reply.blocks), ...reply.usage },
    pace: reply.pace ?? pace,
  };
  if (request.stream) return streamMessage(response, reply, identity);
  await sleep(durationMs(reply, identity.pace));
  if (!response.destroyed) sendMessage(response, reply, identity);
}

export function sendError(
  response: ServerResponse,
  { status, type, message, headers }: Omit<ErrorReply, 'kind'>,
  requestId: string,
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': requestId, ...headers });
  response.end(JSON.stringify({ type: 'error', error: { type, message }, request_id: requestId }));
}

async function misbehave(response: ServerResponse, { fault }: FaultReply): Promise<void> {
  if (fault === 'hang') return;
  if (fault === 'garbage') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('event: message_start\ndata: {this is not json\n\n');
  } else if (fault === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html><body>Sign in to the network</body></html>');
  } else {
    if (fault === 'cut_early') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      await sleep(FLUSH_BEFORE_CUT_MS);
    }
    response.destroy();
  }
}

/** About as long as streaming it would take, within reason. */
function durationMs(reply: MessageReply, pace: Pace): number {
  const words = reply.blocks.reduce(
    (count, block) => count + (block.type === 'text' ? block.text.split(/\s+/).length : 0),
    0,
  );
  return Math.min(5_000, pace.delayMs * words);
}
