import { EVENTS_PAGE, type Envelope } from '@chirality/contracts';

/** Where a feed reads what it missed: the log in Postgres. */
export interface EventSource {
  readEvents(sessionId: string, range: { after: number; limit: number }): Promise<Envelope[]>;
}

/** Is handed each event of the session once, in order; must not throw. */
type FeedListener = (events: Envelope[]) => void;

const READ_RETRY_MS = 500;

/**
 * One session's events as this process knows them: numbers rise by one, whatever the bus lost, doubled or reordered.
 * What arrives is a hint; a gap is filled from the log. Listeners are called in one turn of the loop with the change of
 * `through`, so a caller that compares its cursor with `through` and then subscribes, without awaiting between, misses
 * nothing.
 */
export class SessionFeed {
  private readonly listeners = new Set<FeedListener>();
  private reading: Promise<void> | null = null;
  private readAgain = false;
  private closed = false;

  constructor(
    readonly sessionId: string,
    private readonly source: EventSource,
    private position: number,
    private readonly onReadFailure: (error: unknown) => void = () => undefined,
  ) {}

  /** The last id that listeners were handed. */
  get through(): number {
    return this.position;
  }

  subscribe(listener: FeedListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Takes events from the bus, in any order and any number of times. */
  offer(events: Envelope[]): void {
    const fresh = events.filter((event) => event.id > this.position);
    if (fresh.length === 0) return;
    const run = fresh.filter((event, index) => event.id === this.position + 1 + index);
    if (run.length > 0) this.deliver(run);
    if (run.length < fresh.length) void this.catchUp();
  }

  /** Reads everything after `through` from the log. Settles when nothing more is there, or the feed was closed. */
  catchUp(): Promise<void> {
    this.readAgain = true;
    this.reading ??= this.readToEnd().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  close(): void {
    this.closed = true;
    this.listeners.clear();
  }

  private async readToEnd(): Promise<void> {
    while (this.readAgain && !this.closed) {
      this.readAgain = false;
      try {
        while (!this.closed && (await this.readPage()) === EVENTS_PAGE);
      } catch (error) {
        this.onReadFailure(error);
        this.readAgain = true;
        await new Promise((resolve) => setTimeout(resolve, READ_RETRY_MS).unref());
      }
    }
  }

  private async readPage(): Promise<number> {
    const page = await this.source.readEvents(this.sessionId, { after: this.position, limit: EVENTS_PAGE });
    const fresh = page.filter((event) => event.id > this.position);
    if (fresh.length > 0) this.deliver(fresh);
    return page.length;
  }

  private deliver(events: Envelope[]): void {
    if (this.closed) return;
    this.position = events[events.length - 1]?.id ?? this.position;
    for (const listener of this.listeners) listener(events);
  }
}
