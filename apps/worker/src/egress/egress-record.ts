import type { EgressDecision } from '@chirality/contracts';
import type { EgressBinding, EgressLog, EgressLogRow, EgressLogSink } from './egress.types';

/** A program that tries names at random fills one row with all that come after these. */
const MAX_ROWS_PER_TURN = 200;
/** People are notified of no more than these. */
const MAX_NOTICES_PER_TURN = 20;
const FLUSH_MS = 1_000;
const OTHERS = '(others)';

/** Counts what was decided while one turn was bound and stores it, so that asking a thousand times is one row. */
export class EgressRecord {
  private rows = new Map<string, EgressLogRow>();
  private readonly known = new Set<string>();
  private told = 0;
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly binding: EgressBinding,
    private readonly sink: EgressLogSink,
    private readonly log: EgressLog,
  ) {}

  note(host: string, port: number, decision: EgressDecision): void {
    const isNew = this.rememberNew(`${host}:${port} ${decision}`);
    const [name, at] = isNew === null ? [OTHERS, 0] : [host, port];
    const key = `${name}:${at} ${decision}`;
    const now = new Date();
    const row = this.rows.get(key);
    if (row) Object.assign(row, { count: row.count + 1, lastAt: now });
    else {
      const { projectId, sessionId, turnId, userId } = this.binding;
      this.rows.set(key, {
        projectId,
        sessionId,
        turnId,
        userId,
        host: name,
        port: at,
        decision,
        count: 1,
        firstAt: now,
        lastAt: now,
      });
    }
    if (isNew === true) {
      this.log.info(
        { project: this.binding.projectId, turn: this.binding.turnId, host, port, decision },
        'egress.decided',
      );
      if (decision !== 'allowed' && this.told++ < MAX_NOTICES_PER_TURN)
        this.binding.onRefused({ host, port, decision });
    }
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Resolves when everything noted so far is stored, or could not be, which the log then says. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const rows = [...this.rows.values()];
    this.rows = new Map();
    if (rows.length > 0) {
      this.writing = this.writing
        .then(() => this.sink.add(rows))
        .catch((error: Error) =>
          this.log.warn(
            {
              err: error,
              turn: this.binding.turnId,
              rows: rows.map(({ host, port, decision, count }) => ({ host, port, decision, count })),
            },
            'egress.not_stored',
          ),
        );
    }
    await this.writing;
  }

  /** True the first time; false later; null beyond the maximum that is kept apart. */
  private rememberNew(key: string): boolean | null {
    if (this.known.has(key)) return false;
    if (this.known.size >= MAX_ROWS_PER_TURN) return null;
    this.known.add(key);
    return true;
  }
}
