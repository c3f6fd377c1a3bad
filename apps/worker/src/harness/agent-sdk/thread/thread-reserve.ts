import { ThreadLink } from './thread-link';

/** A start that has to load its thread itself does not share the processor with the loading of another. */
const FILL_AFTER_MS = 1_000;

/**
 * Keeps one thread that has loaded the SDK and knows nothing of any session, so that a start does not wait for the
 * loading. The first is loaded after the first start: a worker that never uses the SDK holds none.
 */
export class ThreadReserve {
  private spare: ThreadLink | null = null;
  private filling: NodeJS.Timeout | undefined;

  constructor(
    private readonly load: () => ThreadLink = () => new ThreadLink(),
    private readonly fillAfterMs = FILL_AFTER_MS,
  ) {}

  /** The spare one, or a new one where there is none or it ended meanwhile. */
  take(): ThreadLink {
    const spare = this.spare?.isUsable === true ? this.spare : null;
    this.spare = null;
    clearTimeout(this.filling);
    this.filling = setTimeout(() => (this.spare = this.load()), spare === null ? this.fillAfterMs : 0).unref();
    return spare ?? this.load();
  }
}
