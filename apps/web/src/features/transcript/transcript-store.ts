import type { Envelope, PresencePerson, Problem } from '@chirality/contracts';
import { emptyTranscript, foldEvents, type TranscriptState } from '@chirality/domain';
import type { LiveConnection, SessionListener } from '../../lib/live/live-connection';
import { Observable } from '../../lib/observable';

export type TranscriptSnapshot = {
  state: TranscriptState;
  /** `loading` until everything that the log held when we came has arrived; what came so far is in `state` already. */
  phase: 'loading' | 'ready' | 'refused';
  refusal: Problem | null;
};

/** Calls back once, before the next paint, or soon when the page is not painted. */
export type Scheduler = (act: () => void) => void;

/**
 * One session's transcript as it stands, kept current while somebody looks. Events are folded as they come; those who
 * look are told once per frame, so that a burst costs frames and not renders.
 */
export class TranscriptStore implements SessionListener {
  readonly snapshot: Observable<TranscriptSnapshot>;
  readonly people = new Observable<readonly PresencePerson[]>([]);
  private current: TranscriptSnapshot = { state: emptyTranscript(), phase: 'loading', refusal: null };
  private isScheduled = false;
  private viewers = 0;
  private unfollow: () => void = () => undefined;

  constructor(
    readonly sessionId: string,
    private readonly live: Pick<LiveConnection, 'follow'>,
    private readonly schedule: Scheduler,
  ) {
    this.snapshot = new Observable(this.current);
  }

  /** Follows the session until the returned function is called by everybody who called this. */
  watch(): () => void {
    this.viewers += 1;
    if (this.viewers === 1) this.unfollow = this.live.follow(this.sessionId, this);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.viewers -= 1;
      if (this.viewers > 0) return;
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

  onEvents(events: Envelope[]): void {
    const state = foldEvents(this.current.state, events);
    if (state !== this.current.state) this.change({ ...this.current, state });
  }

  onPresence(people: PresencePerson[]): void {
    this.people.set(people);
  }

  onRefused(problem: Problem): void {
    this.change({ ...this.current, phase: 'refused', refusal: problem });
  }

  onReset(): void {
    this.change({ state: emptyTranscript(), phase: 'loading', refusal: null });
  }

  onCaughtUp(): void {
    if (this.current.phase !== 'ready') this.change({ ...this.current, phase: 'ready', refusal: null });
  }

  private change(next: TranscriptSnapshot): void {
    this.current = next;
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.schedule(() => {
      this.isScheduled = false;
      this.snapshot.set(this.current);
    });
  }
}
