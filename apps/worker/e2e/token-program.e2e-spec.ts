import type { CreatedToken, Envelope, Session, Turn } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import { io } from 'socket.io-client';
import { startFaultStack, type FaultStack } from './support/fault-stack';

jest.setTimeout(120_000);

/** What a program with nothing but `fetch` does. */
class Program {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', ...init.headers };
    return fetch(this.url + path, { ...init, headers });
  }

  post(path: string, body: object): Promise<Response> {
    return this.fetch(path, { method: 'POST', body: JSON.stringify(body) });
  }

  /** The stream's text as it comes; settled once the server ended it. */
  async follow(sessionId: string, onText: (text: string) => void): Promise<void> {
    const response = await this.fetch(`/v1/sessions/${sessionId}/events`, { headers: { accept: 'text/event-stream' } });
    const decoder = new TextDecoder();
    for await (const chunk of response.body as AsyncIterable<Uint8Array>)
      onText(decoder.decode(chunk, { stream: true }));
  }
}

describe('a program with a token', () => {
  let product: FaultStack;
  let teamId: string;

  beforeAll(async () => {
    product = await startFaultStack();
    teamId = (await product.person.call<{ data: { id: string }[] }>('GET', '/v1/teams')).body.data[0]?.id ?? '';
  });
  afterAll(() => product?.stop());

  it('runs a turn by REST and events, is refused beyond its scope, and is cut off when it is revoked', async () => {
    const { person, projectId } = product;
    const elsewhere = await person.createProject('Elsewhere');
    const { body: created } = await person.call<CreatedToken>('POST', '/v1/tokens', {
      name: 'Nightly',
      teamId,
      identityClass: 'agent',
      projects: [projectId],
      commands: ['session:create', 'turn:send', 'events:read'],
    });
    const program = new Program(person.baseUrl, created.secret);

    const session = (await (await program.post('/v1/sessions', { projectId })).json()) as Session;
    expect(session.startedBy).toEqual({ identityClass: 'agent', tokenName: 'Nightly' });
    let seen = '';
    const stream = program.follow(session.id, (text) => (seen += text));
    const socket = io(person.baseUrl, {
      transports: ['websocket'],
      auth: { token: person.token, clientId: 'cli_watching' },
    });
    const live: Envelope[] = [];
    socket.on('events', ({ events }: { events: Envelope[] }) => live.push(...events));
    await socket.timeout(8_000).emitWithAck('session:attach', { session: session.id, after: 0 });
    const said = `The token is ${created.secret}, and the file is there.`;
    const message = `[[tool Read {"file_path":"none.md"}]] [[text ${JSON.stringify(said)}]]`;
    const answer = await program.post(`/v1/sessions/${session.id}/turns?wait=turn`, { message });
    const { turn } = (await answer.json()) as { turn: Turn };
    expect(turn).toMatchObject({ status: 'completed', author: { identityClass: 'agent' } });
    await waitFor(() => seen.includes('event: turn:end'), { what: 'the stream shows the end of the turn' });
    await waitFor(() => live.some(({ kind }) => kind === 'turn:end'), { what: 'the socket shows the end of the turn' });
    socket.disconnect();
    const streamed = [...seen.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as Envelope);
    for (const events of [streamed, live, await person.events(session.id)]) {
      const ofTurn = events.filter((event) => event.turn === turn.id);
      expect(ofTurn.length).toBeGreaterThan(5);
      // What the worker says of the turn is said in the name of the program that began it.
      expect(new Set(ofTurn.map(({ originator }) => JSON.stringify(originator)))).toEqual(
        new Set([JSON.stringify(ofTurn[0]?.originator)]),
      );
      expect(ofTurn[0]?.originator).toMatchObject({ userId: turn.author.userId, identityClass: 'agent' });
    }
    expect(seen).toContain('«redacted:chirality-token»');
    expect(seen + turn.text).not.toContain(created.secret);

    for (const [path, status, code] of [
      [`/v1/projects/${elsewhere.id}`, 404, 'PROJECT_NOT_FOUND'],
      [`/v1/sessions/${session.id}/push`, 403, 'TOKEN_SCOPE'],
      ['/v1/audit', 403, 'TOKEN_SCOPE'],
    ] as const) {
      const refusal = await program.fetch(path);
      expect([path, refusal.status, ((await refusal.json()) as { code: string }).code]).toEqual([path, status, code]);
    }

    await program.post(`/v1/sessions/${session.id}/turns`, { message: '[[slow words=2000 delay=20]]' });
    const before = seen.length;
    await waitFor(() => seen.slice(before).includes('event: chat:delta'), { what: 'it streams' });
    const revokedAt = performance.now();
    await person.call('DELETE', `/v1/tokens/${created.token.id}`);
    await stream;
    expect(performance.now() - revokedAt).toBeLessThan(1_000);
    expect(seen.trimEnd().endsWith('event: token-expired\ndata: {}')).toBe(true);
    expect((await program.fetch(`/v1/sessions/${session.id}`)).status).toBe(401);
    await person.interrupt(session.id);

    const events = await person.events(session.id);
    const author = { identityClass: 'agent' };
    expect(events.filter(({ kind }) => kind === 'turn:queued').map(originator)).toMatchObject([author, author]);
  });
});

function originator(event: Envelope) {
  return event.originator;
}
