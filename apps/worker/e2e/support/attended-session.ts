import type { Envelope, EventKind, Session, Turn } from '@chirality/contracts';
import { waitFor, type TestClient } from '@chirality/testing';
import { readLog } from './read-log';
import { expectSoundLog } from './session-laws';
import { SocketViewer } from './socket-viewer';
import { StreamViewer } from './stream-viewer';
import { talk } from './talk';

/** A session that is watched over both live ways by viewers who come back after every outage. */
export class AttendedSession {
  private static readonly attended = new Set<AttendedSession>();
  readonly socket: SocketViewer;
  readonly stream: StreamViewer;

  private constructor(
    readonly person: TestClient,
    readonly session: Session,
  ) {
    this.socket = new SocketViewer(person, session.id);
    this.stream = new StreamViewer(person, session.id);
    AttendedSession.attended.add(this);
  }

  static async open(
    person: TestClient,
    projectId: string,
    more: Record<string, unknown> = {},
  ): Promise<AttendedSession> {
    return new AttendedSession(person, await person.createSession(projectId, more));
  }

  /** Sends away the viewers of every session, for the end of a test that may have failed anywhere. */
  static closeAll(): void {
    for (const one of AttendedSession.attended) one.close();
  }

  get id(): string {
    return this.session.id;
  }

  send(message: string, options?: Record<string, unknown>): Promise<Turn> {
    return this.person.send(this.id, message, options);
  }

  async run(message: string, timeoutMs?: number): Promise<Turn> {
    return this.end(await this.send(message), timeoutMs);
  }

  /** The turn once it is final; works through outages of the api. */
  end(turn: Pick<Turn, 'id'>, timeoutMs = 40_000): Promise<Turn> {
    return this.person.waitForEnd(this.id, turn.id, timeoutMs);
  }

  /** Waits until a viewer saw an event of this kind (and, with `fits`, of this content) in the turn. */
  async saw(
    kind: EventKind,
    turn: Pick<Turn, 'id'>,
    timeoutMs = 40_000,
    fits: (payload: Record<string, unknown>) => boolean = () => true,
  ): Promise<Envelope> {
    const find = () =>
      this.of(turn).find((event) => event.kind === kind && fits(event.payload as Record<string, unknown>));
    await waitFor(() => find() !== undefined, { what: `${kind} of ${turn.id} is seen`, timeoutMs, everyMs: 5 }).catch(
      (error: Error) => {
        throw new Error(`${error.message}; seen: ${this.kinds(turn).join(' ')}`);
      },
    );
    return find() as Envelope;
  }

  of(turn: Pick<Turn, 'id'>): Envelope[] {
    return this.socket.seen.all.filter((event) => event.turn === turn.id);
  }

  kinds(turn: Pick<Turn, 'id'>): EventKind[] {
    return this.of(turn).map(({ kind }) => kind);
  }

  payloads(turn: Pick<Turn, 'id'>, kind: EventKind): Record<string, unknown>[] {
    return this.of(turn)
      .filter((event) => event.kind === kind)
      .map(({ payload }) => payload as Record<string, unknown>);
  }

  /** The laws of the log, and: socket, stream and what is read afterwards are the same bytes. */
  async expectLawful(): Promise<void> {
    const { lastEventId } = await this.person.session(this.id);
    await waitFor(() => this.socket.seen.last >= lastEventId && this.stream.seen.last >= lastEventId, {
      what: `event ${lastEventId} arrives`,
      timeoutMs: 20_000,
    }).catch((error: Error) => {
      throw new Error(`${error.message}; socket has ${this.socket.seen.last}, stream has ${this.stream.seen.last}`);
    });
    const stored = await readLog(this.person, this.id);
    expect(this.socket.seen.bytes.slice(0, stored.length).join('\n')).toBe(stored.join('\n'));
    expect(this.stream.seen.bytes.slice(0, stored.length).join('\n')).toBe(stored.join('\n'));
    expect([...this.socket.seen.changed, ...this.stream.seen.changed]).toEqual([]);
    expectSoundLog(this.socket.seen.all);
  }

  /** After a fault: the session's next turn, by the fake program, completes like any other, and its log is lawful. */
  async expectGoesOn(): Promise<void> {
    expect(await this.run(talk(3).toMessage())).toMatchObject({ status: 'completed', text: 'word word word ' });
    await this.expectLawful();
  }

  close(): void {
    AttendedSession.attended.delete(this);
    this.socket.close();
    this.stream.close();
  }
}
