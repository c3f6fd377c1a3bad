import type { Attachment, CreateTurn, Options, OutputSchema, QueueItem, Turn } from '@chirality/contracts';
import type { Clock } from '../state/clock';
import { ApiError } from '../http/api-error';
import { retryDelayMs } from '../live/retry-delay';
import { Observable } from '../state/observable';
import type { KeyValueStore } from '../state/storage';
import type { Fold } from './pasted-text';

/** `accepted`: the server has it; it stays until its turn is seen in the transcript. */
export type OutboxStatus = 'waiting' | 'sending' | 'accepted' | 'refused';

export type WhenBusy = NonNullable<CreateTurn['whenBusy']>;

/** A message became a turn, or waits in its session's queue. */
export type Sent = { turn: Turn } | { item: QueueItem };

export type OutboxEntry = {
  /**
   * The Idempotency-Key: the same for every attempt, so that the server starts one turn whatever happens on the way.
   */
  key: string;
  sessionId: string;
  message: string;
  options: Options;
  attachments: readonly Attachment[];
  /** What the answer has to be; null where it may be anything. */
  outputSchema: OutputSchema | null;
  /** What becomes of it while another turn runs. */
  whenBusy: WhenBusy;
  /** Where pasted texts stand in the message, should it be changed again. */
  folds: readonly Fold[];
  createdAtMs: number;
  status: OutboxStatus;
  attempts: number;
  turnId: string | null;
  refusal: { code: string; detail: string; problem: Record<string, unknown> } | null;
  /** False where the browser's store has no room for it: a reload would lose it. */
  isKept: boolean;
};

/** The server remembers a key for a day; after that the same message would be a second turn. */
export const KEY_LIFE_MS = 23 * 3_600_000;

type Parts = {
  store: KeyValueStore;
  /** Where this person's entries are kept; another person of the same browser has other keys. */
  prefix: string;
  clock: Clock;
  newKey(): string;
  send(entry: OutboxEntry): Promise<Sent>;
};

const EXPIRED = {
  code: 'EXPIRED',
  detail:
    'This message waited for more than a day, and may or may not have arrived. If it is not above, send it again.',
  problem: {},
};

/**
 * Messages on their way. Each is recorded before it is first sent and forgotten once the server has it, so a reload or
 * a lost network loses none, and each attempt carries the same key, so none is sent twice. One at a time per session,
 * in order.
 */
export class Outbox {
  readonly entries = new Observable<readonly OutboxEntry[]>([]);
  /** Turns that messages of this page have become. */
  readonly made = new Set<string>();
  private readonly retries = new Map<string, () => void>();

  constructor(private readonly parts: Parts) {
    this.entries.set(this.restored());
    this.sendNext();
  }

  add(
    sessionId: string,
    message: string,
    options: Options,
    folds: readonly Fold[] = [],
    attachments: readonly Attachment[] = [],
    outputSchema: OutputSchema | null = null,
    whenBusy: WhenBusy = 'refuse',
  ): OutboxEntry {
    const made: OutboxEntry = {
      key: this.parts.newKey(),
      sessionId,
      message,
      options,
      attachments,
      outputSchema,
      whenBusy,
      folds,
      createdAtMs: this.parts.clock.now(),
      status: 'waiting',
      attempts: 0,
      turnId: null,
      refusal: null,
      isKept: false,
    };
    const entry = { ...made, isKept: this.write(made) };
    this.entries.set([...this.entries.get(), entry]);
    this.sendNext();
    return entry;
  }

  /** Room was made: what had none is recorded now. */
  keep(): void {
    for (const entry of this.unkept) this.change(entry.key, { isKept: this.write(entry) });
  }

  /** Those that a reload would lose. */
  get unkept(): OutboxEntry[] {
    return this.entries.get().filter(({ isKept, status }) => !isKept && status !== 'accepted');
  }

  /** Sends a refused message again, as a new one: the old key belongs to the refused request. */
  sendAgain(key: string): void {
    const entry = this.find(key);
    if (entry?.status !== 'refused') return;
    this.discard(key);
    const { sessionId, message, options, folds, attachments, outputSchema, whenBusy } = entry;
    this.add(sessionId, message, options, folds, attachments, outputSchema, whenBusy);
  }

  discard(key: string): void {
    this.retries.get(key)?.();
    this.retries.delete(key);
    this.parts.store.remove(this.parts.prefix + key);
    this.entries.set(this.entries.get().filter((entry) => entry.key !== key));
    this.keep();
    this.sendNext();
  }

  /** The transcript shows this turn now. */
  seen(turnId: string): void {
    for (const entry of this.entries.get()) if (entry.turnId === turnId) this.discard(entry.key);
  }

  /** The network is back: whatever waits for its next attempt has it now. */
  wake(): void {
    for (const [key, stop] of [...this.retries]) {
      stop();
      this.retries.delete(key);
    }
    this.sendNext();
  }

  /** Stops sending, without forgetting anything. */
  close(): void {
    for (const stop of this.retries.values()) stop();
    this.retries.clear();
    this.sendNext = () => undefined;
  }

  private sendNext = (): void => {
    // A page may sleep for days between two attempts, of which the first may have arrived.
    for (const entry of this.entries.get())
      if (entry.status === 'waiting' && this.isTooOld(entry)) this.refuse(entry.key, EXPIRED);
    const busy = new Set<string>();
    for (const entry of this.entries.get()) {
      if (entry.status === 'accepted' || entry.status === 'refused') continue;
      if (!busy.has(entry.sessionId) && entry.status === 'waiting' && !this.retries.has(entry.key))
        void this.send(entry);
      busy.add(entry.sessionId);
    }
  };

  private async send(waiting: OutboxEntry): Promise<void> {
    const { key } = waiting;
    const entry = this.change(key, { status: 'sending', attempts: waiting.attempts + 1 });
    if (entry === null) return;
    try {
      const sent = await this.parts.send(entry);
      // From now on the session's queue shows it.
      if ('item' in sent) return this.discard(key);
      const { turn } = sent;
      this.parts.store.remove(this.parts.prefix + key);
      this.made.add(turn.id);
      this.change(key, { status: 'accepted', turnId: turn.id });
      this.keep();
    } catch (error) {
      this.sendFailed(key, entry.attempts, error);
    }
    this.sendNext();
  }

  private sendFailed(key: string, attempts: number, error: unknown): void {
    if (error instanceof ApiError && error.isPassing) {
      const waitMs = Math.max(error.retryAfterMs ?? 0, retryDelayMs(attempts, Math.random));
      const stop = this.parts.clock.after(waitMs, () => {
        this.retries.delete(key);
        this.sendNext();
      });
      this.retries.set(key, stop);
      this.change(key, { status: 'waiting' });
      return;
    }
    const refusal =
      error instanceof ApiError
        ? { code: error.code, detail: error.message, problem: error.problem }
        : { code: 'UNKNOWN', detail: 'The message could not be sent.', problem: {} };
    this.refuse(key, refusal);
  }

  private refuse(key: string, refusal: OutboxEntry['refusal']): void {
    const refused = this.change(key, { status: 'refused', refusal });
    if (refused !== null) this.change(key, { isKept: this.write(refused) });
  }

  private isTooOld({ createdAtMs }: OutboxEntry): boolean {
    return this.parts.clock.now() - createdAtMs > KEY_LIFE_MS;
  }

  private find(key: string): OutboxEntry | undefined {
    return this.entries.get().find((entry) => entry.key === key);
  }

  private change(key: string, changes: Partial<OutboxEntry>): OutboxEntry | null {
    const entry = this.find(key);
    if (entry === undefined) return null;
    const changed = { ...entry, ...changes };
    this.entries.set(this.entries.get().map((other) => (other.key === key ? changed : other)));
    return changed;
  }

  private write(entry: OutboxEntry): boolean {
    return this.parts.store.set(this.parts.prefix + entry.key, JSON.stringify(entry));
  }

  private restored(): OutboxEntry[] {
    const { store, prefix } = this.parts;
    return store
      .keys(prefix)
      .flatMap((storeKey): OutboxEntry[] => {
        const stored = parseEntry(store.get(storeKey));
        if (stored === null) {
          store.remove(storeKey);
          return [];
        }
        const entry = {
          ...stored,
          folds: Array.isArray(stored.folds) ? stored.folds : [],
          attachments: Array.isArray(stored.attachments) ? stored.attachments : [],
          outputSchema: stored.outputSchema ?? null,
          whenBusy: stored.whenBusy ?? 'refuse',
          isKept: true,
        };
        if (entry.status === 'refused') return [entry];
        if (this.isTooOld(entry)) return [{ ...entry, status: 'refused', refusal: EXPIRED }];
        return [{ ...entry, status: 'waiting' }];
      })
      .sort((a, b) => a.createdAtMs - b.createdAtMs);
  }
}

function parseEntry(text: string | null): OutboxEntry | null {
  try {
    const entry = JSON.parse(text ?? 'null') as OutboxEntry | null;
    return typeof entry?.key === 'string' && typeof entry.message === 'string' && typeof entry.sessionId === 'string'
      ? entry
      : null;
  } catch {
    return null;
  }
}
