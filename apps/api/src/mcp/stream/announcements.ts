import type { McpSubscription } from '@chirality/database';
import type { ResumePoint } from './resume-id';

type OfSession = McpSubscription & { sessionId: string };
type Options = {
  /** Reads the session's events until it is aborted, or they may no longer be seen. */
  read: (of: OfSession, signal: AbortSignal, onEvents: (lastId: number) => void) => Promise<unknown>;
  send: (uri: string, at: ResumePoint) => void;
};
type Watched = {
  leaving: AbortController;
  uris: Set<string>;
  lastId: number;
  saidId: number;
  timer: NodeJS.Timeout | null;
};
/** A session whose reading ended: when it may begin again, and after which event. */
type Paused = { pauseMs: number; untilMs: number; after: number };

/** Changes within this time are one: what is announced is read afterwards anyway. */
const COLLECT_MS = 200;
const LIST = 'list';
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** Says of resources that they changed, for the subscriptions that there are at the moment. */
export class Announcements {
  private readonly watched = new Map<string, Watched>();
  private readonly paused = new Map<string, Paused>();
  private listUri: string | null = null;
  private listTimer: NodeJS.Timeout | null = null;

  constructor(private readonly options: Options) {}

  get watchesList(): boolean {
    return this.listUri !== null;
  }

  /** Begins with what is new, ends what is no longer there. */
  keep(subscriptions: readonly McpSubscription[]): void {
    const listUri = subscriptions.find(({ sessionId }) => sessionId === null)?.uri ?? null;
    // The list has no place to begin at: what changed until now is announced as one change.
    if (listUri !== null && this.listUri === null) this.noteList();
    this.listUri = listUri;
    const ofSessions = subscriptions.filter((each): each is OfSession => each.sessionId !== null);
    for (const [sessionId, { leaving }] of this.watched)
      if (!ofSessions.some((each) => each.sessionId === sessionId)) leaving.abort();
    for (const sessionId of this.paused.keys())
      if (!ofSessions.some((each) => each.sessionId === sessionId)) this.paused.delete(sessionId);
    for (const each of ofSessions) {
      const watched = this.watched.get(each.sessionId) ?? this.beginWhenDue(each);
      watched?.uris.add(each.uri);
    }
    for (const [sessionId, { uris }] of this.watched)
      for (const uri of uris)
        if (!ofSessions.some((each) => each.sessionId === sessionId && each.uri === uri)) uris.delete(uri);
  }

  noteList(): void {
    this.listTimer ??= setTimeout(() => {
      this.listTimer = null;
      if (this.listUri !== null) this.options.send(this.listUri, { of: 'session', sessionId: LIST, after: 0 });
    }, COLLECT_MS).unref();
  }

  close(): void {
    if (this.listTimer !== null) clearTimeout(this.listTimer);
    for (const { leaving } of this.watched.values()) leaving.abort();
  }

  private beginWhenDue(of: OfSession): Watched | null {
    const paused = this.paused.get(of.sessionId);
    if (paused === undefined) return this.begin(of);
    if (performance.now() < paused.untilMs) return null;
    return this.begin({ ...of, sinceEventId: Math.max(of.sinceEventId, paused.after) });
  }

  private begin(of: OfSession): Watched {
    const watched: Watched = { leaving: new AbortController(), uris: new Set(), lastId: 0, saidId: 0, timer: null };
    this.watched.set(of.sessionId, watched);
    const say = () => {
      watched.timer = null;
      if (watched.leaving.signal.aborted) return;
      watched.saidId = watched.lastId;
      for (const uri of watched.uris)
        this.options.send(uri, { of: 'session', sessionId: of.sessionId, after: watched.lastId });
    };
    void this.options
      .read(of, watched.leaving.signal, (lastId) => {
        watched.lastId = lastId;
        this.paused.delete(of.sessionId);
        watched.timer ??= setTimeout(say, COLLECT_MS).unref();
      })
      .catch(() => undefined)
      .then(() => {
        if (watched.timer !== null) clearTimeout(watched.timer);
        if (this.watched.get(of.sessionId) !== watched) return;
        this.watched.delete(of.sessionId);
        if (!watched.leaving.signal.aborted) this.pause(of, watched.saidId);
      });
    return watched;
  }

  /** Twice as long after each reading that ended without an event. */
  private pause({ sessionId, sinceEventId }: OfSession, saidId: number): void {
    const before = this.paused.get(sessionId)?.pauseMs;
    const pauseMs = before === undefined ? MIN_PAUSE_MS : Math.min(MAX_PAUSE_MS, before * 2);
    const untilMs = performance.now() + pauseMs;
    this.paused.set(sessionId, { pauseMs, untilMs, after: Math.max(saidId, sinceEventId) });
  }
}
