import { request, type ClientRequest } from 'node:http';
import type { Envelope, EventKind, OutputSchema, Session, Turn } from '@chirality/contracts';
import { waitFor, type TestClient } from '@chirality/testing';
import { readLog } from './read-log';

/**
 * A session that is watched live while things go wrong in it. What came live is kept as the bytes that came, so
 * that it can be compared with what is read afterwards.
 */
export class WatchedSession {
  readonly live: Envelope[] = [];
  private readonly bytes: string[] = [];
  private rest = '';
  private readonly stream: ClientRequest;

  private constructor(
    readonly person: TestClient,
    readonly session: Session,
  ) {
    this.stream = request(`${person.baseUrl}/v1/sessions/${session.id}/events`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${person.token}` },
    });
    this.stream.on('response', (response) => {
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => this.take(chunk));
      response.on('error', () => undefined);
    });
    this.stream.on('error', () => undefined);
    this.stream.end();
  }

  static async open(
    person: TestClient,
    projectId: string,
    more: Record<string, unknown> = {},
  ): Promise<WatchedSession> {
    return new WatchedSession(person, await person.createSession(projectId, more));
  }

  get id(): string {
    return this.session.id;
  }

  send(message: string, options?: Record<string, unknown>, outputSchema?: OutputSchema): Promise<Turn> {
    return this.person.send(this.id, message, options, outputSchema);
  }

  async run(message: string, timeoutMs?: number): Promise<Turn> {
    const turn = await this.send(message);
    return this.end(turn, timeoutMs);
  }

  /** The turn once its end was seen live and its row is final. */
  async end(turn: Turn, timeoutMs = 40_000): Promise<Turn> {
    await this.saw('turn:end', turn, timeoutMs);
    return this.person.waitForEnd(this.id, turn.id);
  }

  /** Waits until an event of this kind (and, with `fits`, of this content) came live in the turn. */
  async saw<K extends EventKind>(
    kind: K,
    turn: Turn,
    timeoutMs = 40_000,
    fits: (payload: Record<string, unknown>) => boolean = () => true,
  ): Promise<Envelope> {
    const find = () =>
      this.live.find(
        (event) => event.kind === kind && event.turn === turn.id && fits(event.payload as Record<string, unknown>),
      );
    await waitFor(() => find() !== undefined, {
      what: `${kind} of ${turn.id}; seen: ${this.kinds(turn).join(' ')}`,
      timeoutMs,
      everyMs: 5,
    }).catch((error: Error) => {
      throw new Error(`${error.message}; seen at last: ${this.kinds(turn).join(' ')}`);
    });
    return find() as Envelope;
  }

  of(turn: Turn): Envelope[] {
    return this.live.filter((event) => event.turn === turn.id);
  }

  kinds(turn: Turn): EventKind[] {
    return this.of(turn).map(({ kind }) => kind);
  }

  payloads(turn: Turn, kind: EventKind): Record<string, unknown>[] {
    return this.of(turn)
      .filter((event) => event.kind === kind)
      .map(({ payload }) => payload as Record<string, unknown>);
  }

  /**
   * What holds whatever happened: ids 1..n, one end per turn and nothing of the turn after it but the exit of a process
   * that outlived it, nothing streamed that neither stands in the turn's end nor was taken back, and the same bytes
   * live and read again.
   */
  async expectLawful(): Promise<void> {
    const { lastEventId } = await this.person.session(this.id);
    await waitFor(() => (this.live.at(-1)?.id ?? 0) >= lastEventId, {
      what: `event ${lastEventId} arrives live`,
      timeoutMs: 10_000,
    });
    const stored = await readLog(this.person, this.id);
    expect(this.bytes.join('\n')).toBe(stored.join('\n'));
    expect(this.live.map(({ id }) => id)).toEqual(this.live.map((_, index) => index + 1));
    for (const turnId of new Set(this.live.flatMap(({ turn }) => turn ?? []))) this.expectOneEnd(turnId);
  }

  close(): void {
    this.stream.destroy();
  }

  private expectOneEnd(turnId: string): void {
    const kinds = this.live.filter(({ turn }) => turn === turnId).map(({ kind }) => kind);
    expect({ turnId, first: kinds[0], ends: kinds.filter((kind) => kind === 'turn:end').length }).toEqual({
      turnId,
      first: 'turn:queued',
      ends: 1,
    });
    const after = kinds.slice(kinds.indexOf('turn:end') + 1);
    expect({ turnId, after }).toEqual({ turnId, after: after.length === 0 ? [] : ['process:exit'] });
  }

  private take(chunk: string): void {
    const blocks = (this.rest + chunk).split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (!data || !/^id: /m.test(block)) continue;
      this.bytes.push(data.slice('data: '.length));
      this.live.push(JSON.parse(data.slice('data: '.length)) as Envelope);
    }
  }
}
