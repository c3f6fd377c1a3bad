import type { CheckedRequest } from '../check';
import type { MessageUsage, TurnBinding } from '../gateway.types';
import type { Upstream } from '../upstream/upstream';

/** Which service is asked for an answer, and whose key it is billed to. */
export interface BillingAccount {
  upstream: Upstream;
  /** Empty for a service that wants none. */
  apiKey: string;
  /** The built-in model, which costs nothing. */
  demo: boolean;
}

/** One request of the program, before it is sent. */
export interface ModelRequest {
  path: string;
  /**
   * Still arriving, so that what does not depend on it need not wait. Rejects when it does not come whole or may not
   * pass.
   */
  checked: Promise<CheckedRequest>;
  /** The program went away or the turn ended: the answer is no longer awaited. */
  cancelled: AbortSignal;
}

/** What became of a request, also of one that was never answered. */
export interface RequestEnd {
  /** As far as the service reported it. */
  used: MessageUsage | null;
  stopReason: string | null;
  /** Resolves when what it used is stored. */
  stored: Promise<void>;
}

/** A request that may pass. Both notes are made at most once, in this order. */
export interface Admission {
  account: BillingAccount;
  /** What to send in place of the request's own body. */
  body?: Buffer;
  /** The service began to answer; `message` is what it says of an error, without the key. */
  answered?(status: number, message: string | null): void;
  ended?(end: RequestEnd): void;
}

/** Decides, request by request, which account is billed, or says in a sentence why none is. */
export interface RequestAuthorizer<Binding extends TurnBinding = TurnBinding> {
  /** Answers when the request has come whole, and rejects where it does not. */
  admit(binding: Binding, request: ModelRequest): Promise<Admission | { refusal: string }>;
}
