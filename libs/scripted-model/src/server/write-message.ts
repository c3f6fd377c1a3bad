import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiUsage, MessageReply, Pace } from '../api/reply';
import { deltasOf, emptyBlock, wholeBlock } from './deltas';
import { EventStream } from './event-stream';

type MessageIdentity = { id: string; model: string; requestId: string; usage: ApiUsage; pace: Pace };

/** Without a delay, events are written in pieces of about this size. */
const UNPACED_WRITE_EVENTS = 200;
const FLUSH_BEFORE_CUT_MS = 20;

/** Streams a message as the Messages API does, with the fault that the reply asks for. Returns when it is over or the reader is gone. */
export async function streamMessage(
  response: ServerResponse,
  reply: MessageReply,
  identity: MessageIdentity,
): Promise<void> {
  const stream = new EventStream(response, identity.requestId, reply.splitCharacters === true);
  const { usage, pace } = identity;
  stream.add('message_start', {
    message: { ...headOf(reply, identity), content: [], usage: { ...usage, output_tokens: 1 } },
  });
  stream.add('ping', {});
  let sent = 0;
  for (const [index, block] of reply.blocks.entries()) {
    stream.add('content_block_start', { index, content_block: emptyBlock(block, toolUseId(identity.id, index)) });
    for (const delta of deltasOf(block, pace)) {
      if (reply.fault && sent >= reply.fault.after) return breakOff(stream, reply);
      stream.add('content_block_delta', { index, delta });
      sent += 1;
      const isDue = pace.delayMs > 0 || sent % UNPACED_WRITE_EVENTS === 0;
      if (isDue && !(await stream.write())) return;
      if (pace.delayMs > 0) await sleep(pace.delayMs);
    }
    stream.add('content_block_stop', { index });
  }
  if (reply.fault) return breakOff(stream, reply);
  stream.add('message_delta', { delta: { stop_reason: reply.stopReason, stop_sequence: null }, usage });
  stream.add('message_stop', {});
  if (await stream.write()) stream.end();
}

/** The same message as one JSON answer. */
export function sendMessage(response: ServerResponse, reply: MessageReply, identity: MessageIdentity): void {
  if (reply.fault) {
    response.destroy();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'request-id': identity.requestId });
  const content = reply.blocks.map((block, index) => wholeBlock(block, toolUseId(identity.id, index)));
  response.end(
    JSON.stringify({ ...headOf(reply, identity), content, stop_reason: reply.stopReason, usage: identity.usage }),
  );
}

function headOf(reply: MessageReply, { id, model }: MessageIdentity): Record<string, unknown> {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model: reply.model ?? model,
    stop_reason: null,
    stop_sequence: null,
  };
}

function toolUseId(messageId: string, index: number): string {
  return `toolu_${messageId.replace(/^msg_/, '')}_${index}`;
}

async function breakOff(stream: EventStream, { fault }: MessageReply): Promise<void> {
  if (!fault || !(await stream.write())) return;
  if (fault.kind === 'stall') return;
  if (fault.kind === 'cut') {
    await sleep(FLUSH_BEFORE_CUT_MS);
    stream.destroy();
    return;
  }
  stream.add('error', { error: { type: fault.type, message: fault.message } });
  if (await stream.write()) stream.end();
}
