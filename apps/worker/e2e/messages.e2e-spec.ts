import { randomBytes, randomUUID } from 'node:crypto';
import type { Turn } from '@chirality/contracts';
import type { Answer, TestClient } from '@chirality/testing';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { addPerson } from './support/people';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(120_000);

const MIB = 1024 * 1024;

type Problem = { code: string; detail: string; requestId: string };

describe('messages', () => {
  let product: FaultStack;
  let person: TestClient;

  beforeAll(async () => {
    product = await startFaultStack();
    person = product.person;
  });
  afterAll(() => product?.stop());

  const open = (more?: Record<string, unknown>) => WatchedSession.open(person, product.projectId, more);
  const post = <T = Problem>(
    sessionId: string,
    message: unknown,
    headers: Record<string, string> = {},
    by = person,
  ): Promise<Answer<T>> => by.call<T>('POST', `/v1/sessions/${sessionId}/turns`, { message }, headers);

  /** What the model was asked in requests that hold this text. */
  function asked(mark: string): string[][] {
    const requests = (product.stack.model?.requests() ?? []).map(
      ({ body }) => body as { messages?: { role: string; content: string | { type: string; text?: string }[] }[] },
    );
    return requests
      .filter((body) => JSON.stringify(body).includes(mark))
      .map(({ messages = [] }) => {
        const content = messages.filter(({ role }) => role === 'user').at(-1)?.content ?? '';
        return typeof content === 'string' ? [content] : content.map(({ text }) => text ?? '');
      });
  }

  it.each(['', ' ', '\n\t \r\n', '\u00a0\u2003\ufeff'])(
    'of nothing but white space (%j) are refused',
    async (message) => {
      const watched = await open();
      expect(await post(watched.id, message)).toMatchObject({ status: 400, body: { code: 'MESSAGE_EMPTY' } });
      expect((await person.session(watched.id)).lastEventId).toBe(0);
      watched.close();
    },
  );

  it('of a megabyte reach the model byte for byte', async () => {
    const watched = await open();
    const mark = randomUUID();
    const line = 'größer als üblich — 漢字 עברית 🎉👩‍👩‍👧 "quoted" \\u0041 \u0000 </system-reminder> ';
    const message = `${mark}\n${line.repeat(Math.ceil(MIB / Buffer.byteLength(line)))}end`;
    const turn = await watched.run(message, 60_000);
    expect(turn).toMatchObject({ status: 'completed' });
    expect(turn.message === message).toBe(true);
    expect(asked(mark)[0]?.some((text) => text === message)).toBe(true);
    expect(watched.payloads(turn, 'turn:queued')[0]?.['message'] === message).toBe(true);
    await watched.expectLawful();
    watched.close();
  });

  it('are taken up to four mebibytes and refused above, at once and without a trace', async () => {
    const watched = await open();
    const fits = await post<{ turn: Turn }>(watched.id, 'x'.repeat(4 * MIB));
    expect(fits.status).toBe(202);
    await person.interrupt(watched.id);
    await watched.end(fits.body.turn);
    const before = (await person.session(watched.id)).lastEventId;
    for (const message of [
      'x'.repeat(4 * MIB + 1),
      'é'.repeat(2 * MIB + 1),
      'x'.repeat(11_000_000),
      'x'.repeat(30_000_000),
    ]) {
      expect(await post(watched.id, message)).toMatchObject({ status: 413, body: { code: 'MESSAGE_TOO_LARGE' } });
    }
    expect((await person.session(watched.id)).lastEventId).toBe(before);
    expect(await watched.run('[[text Small again.]]')).toMatchObject({ status: 'completed', text: 'Small again.' });
    await watched.expectLawful();
    watched.close();
  });

  it('to a busy session are refused, with who has it and since when', async () => {
    const other = await addPerson(product.stack, 'Clara');
    const watched = await open({ visibility: 'project' });
    const turn = await watched.send('[[slow words=100 delay=100]]');
    const running = await person.waitForStatus(watched.id, turn.id, ['running']);
    for (const by of [person, other]) {
      const refused = await post(watched.id, 'Me too', {}, by);
      expect(refused).toMatchObject({
        status: 409,
        body: {
          code: 'TURN_IN_PROGRESS',
          turnId: turn.id,
          holder: { userId: turn.author.userId, name: turn.author.name },
          since: running.startedAt,
        },
      });
      expect(refused.body.detail).toContain(turn.author.name);
    }
    await other.interrupt(watched.id);
    expect(await watched.end(turn)).toMatchObject({ status: 'interrupted' });
    expect((await post<{ turn: Turn }>(watched.id, '[[text Free.]]', {}, other)).status).toBe(202);
    await watched.saw(
      'session:complete',
      (await person.call<{ data: Turn[] }>('GET', `/v1/sessions/${watched.id}/turns`)).body.data[0] as Turn,
    );
    watched.close();
  });

  it('with one Idempotency-Key are one turn, however often and whenever they are sent', async () => {
    const watched = await open();
    const key = { 'idempotency-key': randomBytes(12).toString('hex') };
    const message = `[[text Once.]] ${randomUUID()}`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => post<{ turn: Turn }>(watched.id, message, key)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    const ids = new Set(answers.map(({ body }) => body.turn.id));
    expect(ids.size).toBe(1);
    const turn = answers[0]?.body.turn as Turn;
    expect(await watched.end(turn)).toMatchObject({ status: 'completed', text: 'Once.' });
    expect(await post<{ turn: Turn }>(watched.id, message, key)).toMatchObject({
      status: 202,
      body: { turn: { id: turn.id, status: 'completed' } },
    });
    expect(await post(watched.id, `${message} and more`, key)).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_MISMATCH' },
    });
    expect(asked(message)).toHaveLength(1);
    expect(watched.live.filter(({ kind }) => kind === 'turn:queued')).toHaveLength(1);
    await watched.expectLawful();
    watched.close();
  });

  it('to a session that is another team’s, unknown or no id at all get the same answer, byte for byte', async () => {
    const stranger = await addPerson(product.stack, 'Dora', { team: 'own' });
    const watched = await open();
    const turn = await watched.run('[[text Mine.]]');
    const unknown = {
      session: watched.id.replace(/.{10}$/, 'ZZZZZZZZZZ'),
      turn: turn.id.replace(/.{10}$/, 'ZZZZZZZZZZ'),
    };
    const strange = [
      'x',
      'sess_',
      watched.id.toLowerCase(),
      `${watched.id}%00`,
      '..%2f..%2fetc',
      `sess_${'0'.repeat(500)}`,
      turn.id,
    ];
    const routes: [string, (session: string) => string, unknown?][] = [
      ['GET', (session) => `/v1/sessions/${session}`],
      ['GET', (session) => `/v1/sessions/${session}/events?after=0`],
      ['GET', (session) => `/v1/sessions/${session}/turns`],
      ['GET', (session) => `/v1/sessions/${session}/turns/${turn.id}`],
      ['GET', (session) => `/v1/sessions/${session}/turns/${turn.id}/tools/toolu_1/result`],
      ['GET', (session) => `/v1/sessions/${session}/permissions`],
      ['GET', (session) => `/v1/sessions/${session}/files?path=`],
      ['POST', (session) => `/v1/sessions/${session}/turns`, { message: 'Hello' }],
      ['POST', (session) => `/v1/sessions/${session}/interrupt`, {}],
      [
        'POST',
        (session) => `/v1/sessions/${session}/permissions/${watched.id.replace('sess', 'perm')}`,
        { decision: 'allow_once' },
      ],
    ];
    for (const [method, path, body] of routes) {
      const reference = bare(await stranger.call(method, path(unknown.session), body));
      expect(reference).toMatchObject({ status: 404 });
      for (const session of [watched.id, ...strange])
        expect({ method, path: path(session), ...bare(await stranger.call(method, path(session), body)) }).toEqual({
          method,
          path: path(session),
          ...reference,
        });
    }
    const nested = bare(await person.call('GET', `/v1/sessions/${watched.id}/turns/${unknown.turn}`));
    const foreign = await WatchedSession.open(person, product.projectId);
    expect(bare(await person.call('GET', `/v1/sessions/${foreign.id}/turns/${turn.id}`))).toEqual(nested);
    for (const one of [watched, foreign]) one.close();
  });
});

/** An answer without what is different in every answer. */
function bare({ status, body, headers }: Answer<unknown>): { status: number; body: string; type: string | null } {
  const { requestId: _requestId, ...rest } = body as Record<string, unknown>;
  return { status, body: JSON.stringify(rest), type: headers.get('content-type') };
}
