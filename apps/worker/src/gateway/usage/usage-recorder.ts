import { newId } from '@chirality/domain';
import { setTimeout as delay } from 'node:timers/promises';
import type { GatewayLog, MessageUsage, TurnBinding, UsageRow, UsageSink } from '../gateway.types';

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;

/** One message's row on its way to the store: begun when the service starts to answer, finished when it stops. */
export interface Recording {
  /** Resolves when it is stored, or given up. */
  finish(usage: MessageUsage, complete: boolean): Promise<void>;
}

/**
 * Writes usage behind the stream's back and repeats what fails until it is stored. Nothing waits for it but `drain`.
 */
export class UsageRecorder<Binding extends TurnBinding> {
  private readonly unwritten = new Map<UsageRow<Binding>, Promise<void>>();
  private givenUp = new AbortController();

  constructor(
    private readonly sink: UsageSink<Binding>,
    private readonly log: GatewayLog,
    private readonly clock: () => Date,
  ) {}

  begin(binding: Binding, { demo }: { demo: boolean }, usage: MessageUsage): Recording {
    const row: UsageRow<Binding> = { ...usage, id: newId('usage'), binding, demo, at: this.clock(), complete: false };
    const begun = { ...row };
    const { signal } = this.givenUp;
    const opened = this.untilStored(() => this.sink.begin(begun), signal);
    this.unwritten.set(row, opened.then(ignore, ignore));
    return {
      finish: (final, complete) => {
        Object.assign(row, final, { complete });
        const closed = opened
          .then(() => this.untilStored(() => this.sink.finish(row), signal))
          .then(() => void this.unwritten.delete(row), ignore);
        this.unwritten.set(row, closed);
        return closed;
      },
    };
  }

  /** Waits until every finished message is stored; after `timeoutMs` gives up and returns the rows that are not. */
  async drain(timeoutMs: number): Promise<UsageRow<Binding>[]> {
    const timer = new AbortController();
    const everything = Promise.all(this.unwritten.values()).then(() => timer.abort());
    await Promise.race([everything, delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
    const lost = [...this.unwritten.keys()];
    if (lost.length > 0) {
      this.givenUp.abort();
      this.givenUp = new AbortController();
      this.unwritten.clear();
      for (const { binding, ...row } of lost)
        this.log.error({ ...row, turn: binding.turnId }, 'gateway.usage_not_stored');
    }
    return lost;
  }

  private async untilStored<T>(write: () => Promise<T>, givenUp: AbortSignal): Promise<T> {
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
      try {
        return await write();
      } catch (error) {
        if (givenUp.aborted) throw error;
        this.log.warn({ err: error, waitMs }, 'gateway.usage_write_failed');
      }
      await delay(waitMs, undefined, { signal: givenUp });
    }
  }
}

function ignore(): void {
  // What failed stays in `unwritten`, which is where it is answered for.
}
