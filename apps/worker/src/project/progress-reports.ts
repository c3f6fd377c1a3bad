import type { SourceProgress } from '@chirality/contracts';
import { every } from '@chirality/platform';

const REPORT_EVERY_MS = 1_000;

/**
 * Records each second how far a fetch is, one write at a time, and a new phase at once. It continues where nothing
 * moves, because the answer tells whether the fetch is still wanted.
 */
export class ProgressReports {
  private writing: Promise<void> | null = null;
  private written: SourceProgress | null = null;
  private readonly stop: () => void;

  constructor(
    private current: SourceProgress,
    private readonly write: (progress: SourceProgress) => Promise<void>,
  ) {
    this.stop = every(REPORT_EVERY_MS, () => this.flush());
    this.flush();
  }

  tell(progress: SourceProgress): void {
    const isNewPhase = this.current.phase !== progress.phase;
    this.current = { ...progress, bytes: progress.bytes ?? this.current.bytes };
    if (isNewPhase) this.flush();
  }

  /** What was seen of the remote is written in any case: it stays known when the fetch fails. */
  async end(): Promise<void> {
    this.stop();
    await this.writing;
    if (this.current.remote === this.written?.remote) return;
    this.flush();
    await this.writing;
  }

  private flush(): void {
    // What could not be written is written with the next second.
    const { current } = this;
    this.writing ??= this.write(current)
      .then(() => {
        this.written = current;
      })
      .catch(() => undefined)
      .finally(() => (this.writing = null));
  }
}
