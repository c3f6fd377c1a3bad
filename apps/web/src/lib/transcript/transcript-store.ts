import type { Envelope, PresencePerson, Problem } from '@chirality/contracts';
import { emptyTranscript, foldEvents, prependTurns, type EarlierTurns, type TranscriptState } from '@chirality/domain';
import type { Clock } from '../state/clock';
import { ApiError } from '../http/api-error';
import type { LiveConnection, SessionListener } from '../live/live-connection';
import { retryDelayMs } from '../live/retry-delay';
import { Observable } from '../state/observable';

export type TranscriptSnapshot = {
  state: TranscriptState;
  /** `loading` until everything that the log held when we came has arrived; what came so far is in `state` already. */
  phase: 'loading' | 'ready' | 'refused';
  refusal: Pick<Problem, 'detail'> | null;
  /** Why it could not be loaded the last time, while that is tried again; null when nothing went wrong. */
  loadError: unknown;
  isLoadingEarlier: boolean;
  /** Why the turns before those in `state` could not be loaded the last time; null when nothing went wrong. */
  earlierError: unknown;
};

/** Calls back once, before the next paint, or soon when the page is not painted. */
export type Scheduler = (act: () => void) => void;

/** Reads a session's transcript from its end. */
export interface TranscriptSource {
  newest(sessionId: string): Promise<TranscriptState>;
  earlier(sessionId: string, before: number): Promise<EarlierTurns & { through: number }>;
}

export type StoreParts = {
  live: Pick<LiveConnection, 'follow'>;
  source: TranscriptSource;
  clock: Pick<Clock, 'after'>;
  schedule: Scheduler;
  random?: () => number;
};

const BEGINNING: TranscriptSnapshot = {
  state: emptyTranscript(),
  phase: 'loading',
  refusal: null,
  loadError: null,
  isLoadingEarlier: false,
  earlierError: null,
};

/**
 * One session's transcript as it stands, kept current while a person looks: its newest turns, and earlier ones once
 * they are asked for. Events are folded as they come; subscribers are notified once per frame, so that a burst costs
 * frames and not renders.
 */
export class TranscriptStore implements SessionListener {
  readonly snapshot: Observable<TranscriptSnapshot>;
  readonly people = new Observable<readonly PresencePerson[]>([]);
  private current = BEGINNING;
  private isScheduled = false;
  private viewers = 0;
  /**
   * Rises with every subscriber that comes and the last that leaves: what was asked for before is no longer waited
   * for.
   */
  private visit = 0;
  private unfollow: () => void = () => undefined;
  private loadingEarlier: Promise<boolean> | null = null;

  constructor(
    readonly sessionId: string,
    private readonly parts: StoreParts,
  ) {
    this.snapshot = new Observable(this.current);
  }

  /** Follows the session until every caller has called the returned function. */
  watch(): () => void {
    this.viewers += 1;
    if (this.viewers === 1) void this.begin((this.visit += 1), 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.viewers -= 1;
      if (this.viewers > 0) return;
      this.visit += 1;
      this.unfollow();
      this.people.set([]);
    };
  }

  get isWatched(): boolean {
    return this.viewers > 0;
  }

  lastEventId(): number {
    return this.current.state.lastEventId;
  }

  /** Loads the turns right before the first one. False when there are none, or they could not be loaded. */
  loadEarlier(): Promise<boolean> {
    if (this.current.state.firstEventId === 1) return Promise.resolve(false);
    this.loadingEarlier ??= this.readEarlier().finally(() => (this.loadingEarlier = null));
    return this.loadingEarlier;
  }

  onEvents(events: Envelope[]): void {
    const state = foldEvents(this.current.state, events);
    if (state !== this.current.state) this.change({ state });
  }

  onPresence(people: PresencePerson[]): void {
    this.people.set(people);
  }

  onRefused(problem: Pick<Problem, 'detail'>): void {
    this.change({ phase: 'refused', refusal: problem });
  }

  onReset(): void {
    this.change(BEGINNING);
  }

  onCaughtUp(): void {
    if (this.current.phase !== 'ready') this.change({ phase: 'ready', refusal: null });
  }

  /** What is here already is continued; else its end is read first. */
  private async begin(visit: number, attempt: number): Promise<void> {
    if (this.lastEventId() === 0) {
      const state = await this.parts.source
        .newest(this.sessionId)
        .catch((error: unknown) => this.beginLater(visit, attempt, error));
      if (visit !== this.visit || state === null) return;
      this.change({ state, phase: 'ready', refusal: null, loadError: null });
    }
    this.unfollow = this.parts.live.follow(this.sessionId, this);
  }

  private beginLater(visit: number, attempt: number, error: unknown): null {
    if (visit !== this.visit) return null;
    if (error instanceof ApiError && isFinal(error)) this.onRefused({ detail: error.message });
    else {
      // A single failure is over before it is read.
      if (attempt > 1) this.change({ loadError: error });
      this.unfollow = this.parts.clock.after(
        retryDelayMs(attempt, this.parts.random ?? Math.random),
        () => void this.begin(visit, attempt + 1),
      );
    }
    return null;
  }

  private async readEarlier(): Promise<boolean> {
    const { firstEventId } = this.current.state;
    this.change({ isLoadingEarlier: true, earlierError: null });
    try {
      let page = await this.parts.source.earlier(this.sessionId, firstEventId);
      // What was said of its turns since it was read came here while they were not.
      if (this.isBehind(page)) page = await this.parts.source.earlier(this.sessionId, firstEventId);
      if (this.current.state.firstEventId !== firstEventId) return false;
      if (this.isBehind(page)) throw new Error('The server answered with an older state. Try again in a moment.');
      this.change({ state: prependTurns(this.current.state, page), isLoadingEarlier: false });
      return true;
    } catch (error) {
      this.change({ isLoadingEarlier: false, earlierError: error });
      return false;
    }
  }

  private isBehind({ through }: { through: number }): boolean {
    return through < this.current.state.lastOutcomeEventId;
  }

  private change(changes: Partial<TranscriptSnapshot>): void {
    this.current = { ...this.current, ...changes };
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.parts.schedule(() => {
      this.isScheduled = false;
      this.snapshot.set(this.current);
    });
  }
}

/** A refusal that asking again does not change. */
function isFinal({ status, isPassing }: ApiError): boolean {
  return !isPassing && status >= 400 && status !== 401 && status < 500;
}
