import type { PricedUsage } from '@chirality/domain';
import type { RequestAllowance, RequestRefused } from './check';

/** Whose work a process is doing while it is bound. Callers may carry more in it; the gateway hands it on untouched. */
export interface TurnBinding {
  turnId: string;
  attempt: number;
  /** The person whose key, budget and limits count. */
  authorId: string;
  /** What its requests may ask for; left out, any model and no search of the web. */
  allows?: RequestAllowance;
  /** A request was not passed on. Must not throw. */
  onRequestRefused?(refused: RequestRefused): void;
}

/** What one message of the model's service used so far. */
export interface MessageUsage extends PricedUsage {
  apiMessageId: string | null;
  /** The model that answered, which need not be the one that was asked. */
  model: string;
  /** The service did not say how much it wrote: `outputTokens` is counted from what came. */
  estimated?: boolean;
}

export interface UsageRow<Binding extends TurnBinding = TurnBinding> extends MessageUsage {
  /** Made by the gateway, so that a write whose answer was lost can be repeated without a second row. */
  id: string;
  binding: Binding;
  /** The built-in model answered, which costs nothing. */
  demo: boolean;
  at: Date;
  /** Whether the service said what the whole message used; false while it streams and for one that was cut. */
  complete: boolean;
}

/** Where usage is stored. Both calls must be safe to repeat with the same row. */
export interface UsageSink<Binding extends TurnBinding = TurnBinding> {
  begin(row: UsageRow<Binding>): Promise<void>;
  finish(row: UsageRow<Binding>): Promise<void>;
}

export interface UpstreamSettings {
  /** Base URL, `https://…` or `http://…`; its path is kept in front of `/v1`. */
  url?: string;
  /** A unix socket that speaks http, in place of the URL's host. */
  socketPath?: string;
}

export interface GatewayLimits {
  requestBytes: number;
  concurrentRequests: number;
  /** Of the bodies of all open requests together. */
  heldBytes: number;
  /** How long the end of a turn waits for its usage to be stored. */
  drainMs: number;
  /** How long an answer is still read whose reader went away in the middle of a turn, to learn what it used. */
  afterLeavingMs: number;
}

export const DEFAULT_GATEWAY_LIMITS: GatewayLimits = {
  requestBytes: 32 * 1024 * 1024,
  concurrentRequests: 16,
  heldBytes: 64 * 1024 * 1024,
  drainMs: 60_000,
  afterLeavingMs: 10_000,
};

export interface GatewayLog {
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}
