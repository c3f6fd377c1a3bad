import type { Envelope } from '@chirality/contracts';
import type { Following } from './driver';

/** How long anything may take on the way to being seen. A server that needs longer hangs. */
export const LIMIT_MS = 60_000;

type Waiter = { seen: (events: readonly Envelope[]) => boolean; settle: () => void; fail: (error: Error) => void };

/** What a transport has delivered of a session; the transport pushes, the scenarios wait. */
export class EventLog implements Following {
  readonly events: Envelope[] = [];
  readonly ended: Promise<string>;
  private readonly waiters = new Set<Waiter>();
  private readonly settleEnded: (reason: string) => void;
  private endReason: string | null = null;

  constructor(private readonly onClose: () => void | Promise<void>) {
    const { promise, resolve } = withResolvers<string>();
    this.ended = promise;
    this.settleEnded = resolve;
  }

  push(events: readonly Envelope[]): void {
    this.events.push(...events);
    for (const waiter of [...this.waiters]) if (waiter.seen(this.events)) waiter.settle();
  }

  end(reason: string): void {
    this.endReason = reason;
    this.settleEnded(reason);
    for (const waiter of [...this.waiters]) waiter.fail(new Error(`the stream ended: ${reason}`));
  }

  until(what: string, seen: (events: readonly Envelope[]) => boolean): Promise<void> {
    if (seen(this.events)) return Promise.resolve();
    if (this.endReason !== null) return Promise.reject(new Error(`no ${what}: the stream ended (${this.endReason})`));
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
      };
      const waiter: Waiter = {
        seen,
        settle: () => (done(), resolve()),
        fail: (error) => (done(), reject(error)),
      };
      const timer = setTimeout(
        () => waiter.fail(new Error(`no ${what} within ${LIMIT_MS} ms; last: ${this.events.at(-1)?.kind ?? 'none'}`)),
        LIMIT_MS,
      );
      this.waiters.add(waiter);
    });
  }

  async close(): Promise<void> {
    await this.onClose();
  }
}

/** Promise.withResolvers, which Node has from 22 on. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
