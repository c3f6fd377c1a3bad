import { Client } from 'pg';

const BEAT_EVERY_MS = 1_000;
/** With the pause between two beats, a caller learns within five seconds that the server hangs. */
const SILENT_AFTER_MS = 3_000;

/**
 * Asks the server once a second, on a dedicated connection, whether it answers at all. A server that hangs keeps its
 * connections and says nothing, so a statement cannot tell it from a long report: this can, because its question takes
 * no time. A server that refuses connections does answer; statements fail at once then.
 */
export class DatabasePulse {
  private client: Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private silent = false;
  private closed = false;
  private asked = 0;
  private answered = 0;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly url: string,
    private readonly times: { beatEveryMs: number; silentAfterMs: number } = {
      beatEveryMs: BEAT_EVERY_MS,
      silentAfterMs: SILENT_AFTER_MS,
    },
  ) {}

  /** True from the moment that a question was not answered in time until the server answers again. */
  get isSilent(): boolean {
    return this.silent;
  }

  start(): void {
    if (!this.closed) void this.beat();
  }

  /** Calls `listener` each time that the server falls silent; the result ends that. */
  onSilent(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    this.drop();
  }

  private async beat(): Promise<void> {
    const asked = (this.asked += 1);
    const late = setTimeout(() => this.fallSilentUnlessAnswered(asked), this.times.silentAfterMs).unref();
    try {
      this.client ??= await this.connect();
      await this.client.query('SELECT 1');
      this.silent = false;
    } catch (error) {
      this.drop();
      // That it did not answer in time is what `late` says; anything else is an answer.
      if (!isTimeout(error)) this.silent = false;
    } finally {
      clearTimeout(late);
      this.answered = asked;
    }
    if (!this.closed) this.timer = setTimeout(() => void this.beat(), this.times.beatEveryMs).unref();
  }

  /** After a pause of this process an answer may be there already: it is read before the immediate runs. */
  private fallSilentUnlessAnswered(asked: number): void {
    setImmediate(() => {
      if (this.answered >= asked || this.silent || this.closed) return;
      this.silent = true;
      for (const listener of this.listeners) listener();
    });
  }

  private async connect(): Promise<Client> {
    const patienceMs = 2 * this.times.silentAfterMs;
    const client = new Client({
      connectionString: this.url,
      application_name: 'chirality pulse',
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      keepAlive: true,
    });
    client.on('error', () => this.drop());
    await client.connect();
    return client;
  }

  private drop(): void {
    const { client } = this;
    this.client = null;
    void client?.end().catch(() => undefined);
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message);
}
