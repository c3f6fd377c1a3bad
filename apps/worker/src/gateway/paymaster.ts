import type { MessageUsage, TurnBinding } from './gateway.types';
import type { Upstream } from './upstream';

/** Who is asked for an answer, and with which key. */
export interface Payer {
  upstream: Upstream;
  /** Empty for a service that wants none. */
  apiKey: string;
  /** The built-in model, which costs nothing. */
  demo: boolean;
}

/** A request that may pass. Both notes are made at most once, in this order. */
export interface Admission {
  payer: Payer;
  /** The service began to answer; `message` is what it says of an error, without the key. */
  answered?(status: number, message: string | null): void;
  /** The request is over, also when nothing was answered; what it used, as far as the service told, and when that is stored. */
  ended?(used: MessageUsage | null, stored: Promise<void>): void;
}

/** Decides, request by request, who pays for it, or says in a sentence why nobody does. */
export interface Paymaster<Binding extends TurnBinding = TurnBinding> {
  admit(binding: Binding, request: { path: string; body: Buffer }): Promise<Admission | { refusal: string }>;
}
