import type {
  AttachAck,
  Envelope,
  EventsMessage,
  PresencePerson,
  Problem,
  SessionsMessage,
} from '@chirality/contracts';
import type { Clock } from '../state/clock';
import type { TokenSource } from '../http/api-client';
import type { Transport } from './fallback-port';
import { Observable } from '../state/observable';
import { retryDelayMs } from './retry-delay';
import type { ConnectProblem, SocketPort } from './socket-port';

const ANSWER_MS = 8_000;
/** A connection that was silent while the page slept may be dead without knowing it. */
const PROBE_MS = 3_000;
/** A refusal that passes is asked again after about two seconds. */
const ATTACH_AGAIN_AS = 4;

type LiveStatus = 'idle' | 'connecting' | 'online' | 'reconnecting';

/** Who wants a session's events, and how far it has them. */
export interface SessionListener {
  /** The last id of which no earlier one is missing. */
  lastEventId(): number;
  /** Whole pages in order, right after `lastEventId` or repeating what is known; never after a gap. */
  onEvents(events: Envelope[]): void;
  onPresence(people: PresencePerson[]): void;
  /** The session cannot be watched, or no longer. */
  onRefused(problem: Problem): void;
  /** The server's log is shorter than what this page holds: all of it is to be forgotten. */
  onReset(): void;
  /** Everything that the log held when the place was taken has arrived. */
  onCaughtUp(): void;
}

type Place = {
  listener: SessionListener;
  attempt: number;
  asking: boolean;
  goal: number | null;
  stopWaiting: () => void;
};

type Parts = {
  socket: SocketPort;
  clock: Clock;
  tokens: TokenSource;
  isSignedOut(error: unknown): boolean;
  random?: () => number;
  transport?: Observable<Transport>;
};

function isProblem(answer: AttachAck): answer is Problem {
  return 'code' in answer;
}

/**
 * The one owner of the live connection. It never gives up: after every end it tries again, sooner when the page is
 * looked at or the network is back, and each session resumes after its last event without a gap. Only a sign-out
 * and a session that may not be seen are final.
 */
export class LiveConnection {
  readonly status = new Observable<LiveStatus>('idle');
  /** How events come while it is online. */
  readonly transport: Observable<Transport>;
  private readonly places = new Map<string, Place>();
  private readonly random: () => number;
  private phase: 'off' | 'waiting' | 'opening' | 'open' = 'off';
  private attempts = 0;
  private readonly listReaders = new Set<(message: SessionsMessage) => void>();
  private stopRetry: () => void = () => undefined;

  constructor(private readonly parts: Parts) {
    this.random = parts.random ?? Math.random;
    this.transport = parts.transport ?? new Observable<Transport>('websocket');
    const { socket } = parts;
    socket.onOpen(() => this.opened());
    socket.onClosed((problem) => this.closed(problem));
    socket.on('events', (message) => this.receive(message));
    socket.on('presence', ({ session, people }) => this.places.get(session)?.listener.onPresence(people));
    socket.on('sessions', (message) => {
      for (const read of this.listReaders) read(message);
    });
    socket.on('resync', ({ session }) => this.attach(session));
    socket.on('session:closed', ({ session, problem }) => this.refuse(session, problem));
    socket.on('token:expiring', () => void this.renewToken());
  }

  /** Follows a session until the returned function is called. One listener per session: the latest has it. */
  follow(session: string, listener: SessionListener): () => void {
    this.places.get(session)?.stopWaiting();
    const place: Place = { listener, attempt: 0, asking: false, goal: null, stopWaiting: () => undefined };
    this.places.set(session, place);
    if (this.phase === 'open') this.attach(session);
    else if (this.phase === 'off') this.open();
    return () => {
      if (this.places.get(session) !== place) return;
      place.stopWaiting();
      this.places.delete(session);
      if (this.phase === 'open') this.parts.socket.emit('session:detach', { session });
    };
  }

  /**
   * Is called with sessions that look different in a list now; what changed while the connection was away is not
   * reported.
   */
  onSessions(read: (message: SessionsMessage) => void): void {
    this.listReaders.add(read);
  }

  /**
   * Connects whatever is looked at: lists live from it, and who has the app open is there to answer what waits in any
   * session.
   */
  start(): void {
    if (this.phase === 'off') this.open();
  }

  type(session: string, typing: boolean): void {
    if (this.phase === 'open' && this.places.has(session))
      this.parts.socket.emit('session:typing', { session, typing });
  }

  /** The page is looked at again, or the network is back: try at once, and do not believe an old connection. */
  wake(): void {
    if (this.phase === 'waiting') {
      this.attempts = 0;
      this.stopRetry();
      this.open();
    } else if (this.phase === 'open') {
      for (const session of this.places.keys()) this.attach(session, PROBE_MS);
    }
  }

  /** Tells the server the new token, so that the connection outlives the old one. */
  useToken(token: string): void {
    if (this.phase === 'open') this.parts.socket.emit('auth:refresh', { token });
  }

  /** Ends the connection; following a session opens it again. */
  stop(): void {
    this.phase = 'off';
    this.attempts = 0;
    this.stopRetry();
    for (const place of this.places.values()) place.stopWaiting();
    this.parts.socket.disconnect();
    this.status.set('idle');
  }

  private open(): void {
    this.phase = 'opening';
    if (this.status.get() === 'idle') this.status.set('connecting');
    this.parts.tokens.token().then(
      (token) => {
        if (this.phase === 'opening') this.parts.socket.connect(token);
      },
      (error: unknown) => this.tryLaterUnlessSignedOut(error),
    );
  }

  private opened(): void {
    this.phase = 'open';
    this.attempts = 0;
    this.status.set('online');
    for (const session of this.places.keys()) this.attach(session);
  }

  private closed(problem: ConnectProblem): void {
    if (this.phase === 'off' || this.phase === 'waiting') return;
    for (const place of this.places.values()) {
      place.stopWaiting();
      place.asking = false;
    }
    this.status.set('reconnecting');
    if (problem.code !== 'UNAUTHENTICATED') return this.tryLater();
    this.phase = 'opening';
    this.parts.tokens.renew().then(
      () => this.tryLater(),
      (error: unknown) => this.tryLaterUnlessSignedOut(error),
    );
  }

  private tryLaterUnlessSignedOut(error: unknown): void {
    if (this.parts.isSignedOut(error)) this.stop();
    else this.tryLater();
  }

  private tryLater(): void {
    if (this.phase === 'off') return;
    this.phase = 'waiting';
    this.attempts += 1;
    this.stopRetry();
    this.stopRetry = this.parts.clock.after(retryDelayMs(this.attempts, this.random), () => this.open());
  }

  private attach(session: string, answerMs = ANSWER_MS): void {
    const place = this.places.get(session);
    if (place === undefined || this.phase !== 'open') return;
    place.stopWaiting();
    place.attempt += 1;
    place.asking = true;
    const { attempt } = place;
    place.stopWaiting = this.parts.clock.after(answerMs, () => this.parts.socket.disconnect());
    this.parts.socket.emit('session:attach', { session, after: place.listener.lastEventId() }, (answer) => {
      if (this.places.get(session) !== place || place.attempt !== attempt) return;
      place.stopWaiting();
      place.asking = false;
      if (isProblem(answer)) return this.attachRefused(session, place, answer);
      place.goal = answer.lastEventId;
      this.noteArrival(place);
    });
  }

  private attachRefused(session: string, place: Place, problem: Problem): void {
    if (problem.code === 'CURSOR_AHEAD') {
      place.listener.onReset();
      this.attach(session);
    } else if (problem.status === 401 || problem.status === 429 || problem.status >= 500) {
      place.stopWaiting = this.parts.clock.after(retryDelayMs(ATTACH_AGAIN_AS, this.random), () =>
        this.attach(session),
      );
      if (problem.status === 401) void this.renewToken();
    } else this.refuse(session, problem);
  }

  private refuse(session: string, problem: Problem): void {
    const place = this.places.get(session);
    if (place === undefined) return;
    place.stopWaiting();
    this.places.delete(session);
    place.listener.onRefused(problem);
  }

  private receive({ session, events }: EventsMessage): void {
    const place = this.places.get(session);
    const first = events[0];
    if (place === undefined || first === undefined) return;
    if (first.id > place.listener.lastEventId() + 1 && first.kind !== 'stream:gap') {
      if (!place.asking) this.attach(session);
      return;
    }
    place.listener.onEvents(events);
    this.noteArrival(place);
  }

  private noteArrival(place: Place): void {
    if (place.goal === null || place.listener.lastEventId() < place.goal) return;
    place.goal = null;
    place.listener.onCaughtUp();
  }

  private async renewToken(): Promise<void> {
    try {
      await this.parts.tokens.renew();
    } catch (error) {
      if (this.parts.isSignedOut(error)) this.stop();
    }
  }
}
