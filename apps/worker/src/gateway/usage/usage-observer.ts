import type { IncomingHttpHeaders } from 'node:http';
import type { MessageUsage } from '../gateway.types';
import { mergeUsage, readMessage } from './message-usage';
import { StreamedOutput } from './streamed-output';
import { ServerSentEventReader } from './server-sent-event-reader';

/** A reply that is not streamed is held whole to be read; a larger one counts as one that said nothing. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

const WANTED = new Set<string | null>([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'message_delta',
  null,
]);

interface UsageListener {
  /** The service accepted the request and started to answer: from here on it costs. */
  started(usage: MessageUsage): void;
  /** Once, after `started`; `complete` when the service sent the final counts, and why it stopped. */
  ended(usage: MessageUsage, complete: boolean, stopReason: string | null): void;
}

/** Reads usage from the plain bytes of one reply beside their way to the program. Never changes or holds them up. */
export class UsageObserver {
  private usage: MessageUsage | null = null;
  private complete = false;
  private stopReason: string | null = null;
  private readonly accept: (chunk: Buffer) => void;
  private readonly output = new StreamedOutput();
  private readonly reply: Buffer[] = [];
  private replyBytes = 0;
  private readonly streamed: boolean;

  constructor(
    headers: IncomingHttpHeaders,
    private readonly listener: UsageListener,
  ) {
    this.streamed = (headers['content-type'] ?? '').includes('text/event-stream');
    const events = new ServerSentEventReader(
      (name) => WANTED.has(name),
      (data) => this.acceptEvent(data),
    );
    this.accept = this.streamed ? (chunk) => events.push(chunk) : (chunk) => this.collect(chunk);
  }

  push(chunk: Buffer): void {
    this.accept(chunk);
  }

  /** The reply ended, whole or cut. Call once. */
  end(): void {
    if (!this.streamed) this.acceptReply();
    if (this.usage)
      this.listener.ended(
        this.complete ? this.usage : this.atLeastStreamed(this.usage),
        this.complete,
        this.stopReason,
      );
  }

  /** A reply that was cut costs no less than what came of it. */
  private atLeastStreamed(usage: MessageUsage): MessageUsage {
    return { ...usage, outputTokens: Math.max(usage.outputTokens, this.output.tokens), estimated: true };
  }

  private acceptEvent(data: string): void {
    const event = parseObject(data);
    if (event?.['type'] === 'message_start' && !this.usage) {
      this.usage = readMessage(event['message']);
      if (this.usage) this.listener.started(this.usage);
    } else if (event?.['type'] === 'content_block_delta' || event?.['type'] === 'content_block_start') {
      this.output.note(event);
    } else if (event?.['type'] === 'message_delta' && this.usage) {
      this.usage = mergeUsage(this.usage, event['usage']);
      this.stopReason = stopReasonOf(event['delta']);
      this.complete = true;
    }
  }

  private collect(chunk: Buffer): void {
    this.replyBytes += chunk.length;
    if (this.replyBytes <= MAX_REPLY_BYTES) this.reply.push(chunk);
  }

  private acceptReply(): void {
    const message = this.replyBytes <= MAX_REPLY_BYTES ? parseObject(Buffer.concat(this.reply).toString('utf8')) : null;
    if (message?.['type'] !== 'message') return;
    this.usage = readMessage(message);
    this.stopReason = stopReasonOf(message);
    this.complete = true;
    if (this.usage) this.listener.started(this.usage);
  }
}

function stopReasonOf(value: unknown): string | null {
  const { stop_reason: reason } = (value ?? {}) as { stop_reason?: unknown };
  return typeof reason === 'string' ? reason : null;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
