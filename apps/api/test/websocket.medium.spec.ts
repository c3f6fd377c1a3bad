import type { Socket } from 'node:net';
import {
  COMMANDS,
  type CreatedToken,
  type Envelope,
  type Page,
  type Project,
  type Session,
} from '@chirality/contracts';
import { PresenceRepository, type ClaimedTurn } from '@chirality/database';
import { newId } from '@chirality/domain';
import { waitFor } from '@chirality/testing';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';
import { FrameClient } from './frame-client';

jest.setTimeout(60_000);

const upTo = (count: number, after = 0) => Array.from({ length: count }, (_, at) => after + at + 1);
const ids = (events: Envelope[]) => events.map(({ id }) => id);

describe('a plain WebSocket', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let teamId: string;
  let project: Project;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    project = await owner.createProject();
  }, 60_000);
  afterAll(() => api.stop());

  const open = (who: ApiClient = owner, query = '') => FrameClient.open(api.url, who.token, query);
  const create = async (claims: object = {}): Promise<CreatedToken> =>
    (await owner.post('/v1/tokens', { name: 'CI', teamId, identityClass: 'human', ...claims }).expect(201))
      .body as CreatedToken;
  const program = async (claims: object = {}): Promise<ApiClient> => {
    const client = api.client;
    client.token = (await create(claims)).secret;
    return client;
  };
  const runningTurn = async (): Promise<{ session: Session; turn: ClaimedTurn }> => {
    const session = await owner.createSession(project.id);
    await owner.sendTurn(session.id, 'start');
    const turn = await api.worker.claimOf(session.id);
    await api.worker.become(turn, 'spawned');
    return { session, turn };
  };

  it('follows a session from any event on, in the bytes of the log', async () => {
    const { session, turn } = await runningTurn();
    await api.worker.stream(turn, 700);
    const client = await open();
    expect(await client.command('session:attach', { session: session.id })).toMatchObject({
      body: { session: session.id, lastEventId: 701 },
    });
    await api.worker.stream(turn, 20);
    expect(ids(await client.until(721))).toEqual(upTo(721));
    const page = (await owner.get(`/v1/sessions/${session.id}/events?after=700`).expect(200)).body as Page<Envelope>;
    expect(client.events.slice(700).map((event) => JSON.stringify(event))).toEqual(
      page.data.map((event) => JSON.stringify(event)),
    );
    const later = await open(owner, `?session=${session.id}&lastEventId=719`);
    expect(ids(await later.until(721))).toEqual([720, 721]);
    await later.command('session:detach', { session: session.id });
    await api.worker.stream(turn, 1);
    await client.until(722);
    expect(ids(later.events)).toEqual([720, 721]);
    expect(await client.command('session:attach', { session: session.id, after: 9_999 })).toMatchObject({
      body: { code: 'CURSOR_AHEAD' },
    });
    for (const each of [client, later]) each.close();
    await api.worker.settle(turn);
  });

  it('carries out every command of the protocol that the client may give', async () => {
    const client = await open();
    const ask = async (command: string, body: object) => {
      const answer = await client.command(command, body);
      expect([command, answer.frame, (answer.body as { code?: string }).code]).toEqual([command, 'answer', undefined]);
      return answer.body as Record<string, never>;
    };
    const { session: created } = await ask('session:create', { projectId: project.id, title: 'By frames' });
    const session = (created as unknown as Session).id;
    await ask('session:attach', { session });
    await ask('session:set_model', { session, model: 'haiku' });
    await ask('plan:enter', { session });
    expect((await owner.get(`/v1/sessions/${session}`)).body).toMatchObject({
      options: { model: 'haiku', permissionMode: 'plan' },
    });
    await ask('plan:exit', { session });
    const sent = { session, message: 'Read it', idempotencyKey: 'key-1' };
    const { turn } = await ask('turn:send', sent);
    expect(await ask('turn:send', sent)).toMatchObject({ turn: { id: (turn as unknown as { id: string }).id } });
    const claimed = await api.worker.claimOf(session);
    await api.worker.become(claimed, 'spawned');
    expect(await ask('turn:send', { session, message: 'Then this', whenBusy: 'queue' })).toMatchObject({
      item: { message: 'Then this', urgent: false },
    });
    const permissionId = newId('permission');
    expect(await client.command('permission:answer', { session, permissionId, decision: 'deny' })).toMatchObject({
      body: { code: 'NOT_FOUND' },
    });
    await ask('turn:interrupt', { session });
    await api.worker.settle(claimed, 'interrupt');
    await ask('custom', { session, namespace: 'my-tool', name: 'ready', data: { key: 'chi_' } });
    const events = await ask('events:read', { session, after: 0 });
    expect((events as unknown as Page<Envelope>).data.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['session:update', 'turn:queued', 'turn:end', 'custom']),
    );
    await ask('usage:read', { groupBy: 'day' });
    await ask('session:detach', { session });
    await ask('session:end', { session });
    expect((await owner.get(`/v1/sessions/${session}`)).body).toMatchObject({ status: 'archived' });
    client.close();
  });

  it('gives a token the commands that it names, and records what it was denied', async () => {
    const session = await owner.createSession(project.id);
    const client = await open(await program({ commands: ['events:read'] }));
    for (const command of COMMANDS.filter((each) => each !== 'events:read'))
      expect([command, (await client.command(command, { session: session.id })).body]).toMatchObject([
        command,
        { code: 'TOKEN_SCOPE' },
      ]);
    expect((await client.command('events:read', { session: session.id })).frame).toBe('answer');
    await waitFor(
      async () => {
        const { data } = (await owner.get('/v1/audit?action=act:deny').expect(200)).body as Page<{ detail: object }>;
        return data.some(({ detail }) => JSON.stringify(detail).includes('turn:send'));
      },
      { what: 'the refusal is in the audit log' },
    );
    client.close();
    const agent = await open(await program({ identityClass: 'agent' }));
    expect(
      await agent.command('turn:send', { session: session.id, message: 'x', options: { strict: false } }),
    ).toMatchObject({
      body: { code: 'AGENT_MAY_NOT_APPROVE' },
    });
    agent.close();
  });

  it('answers another’s session as it answers an unknown one', async () => {
    const person = await owner.invite(teamId, 'frames@example.org', 'member');
    const hidden = await owner.createSession(project.id, { visibility: 'private' });
    const client = await open(person);
    const inputs = { message: 'x', model: 'haiku', permissionId: newId('permission'), decision: 'deny' };
    for (const command of COMMANDS) {
      if (['session:create', 'usage:read', 'session:detach', 'custom'].includes(command)) continue;
      const [foreign, unknown] = await Promise.all(
        [hidden.id, newId('session')].map(async (session) => {
          const needed = Object.entries(inputs).filter(([name]) => NEEDS[command]?.includes(name));
          const { frame, body } = await client.command(command, { session, ...Object.fromEntries(needed) });
          return { frame, body: { ...(body as object), requestId: '' } };
        }),
      );
      expect([command, foreign]).toEqual([command, unknown]);
      expect(foreign).toMatchObject({ frame: 'error', body: { code: 'SESSION_NOT_FOUND' } });
    }
    client.close();
  });

  it('counts a person as present in what it follows', async () => {
    const session = await owner.createSession(project.id);
    const client = await open(owner, `?session=${session.id}`);
    const presence = new PresenceRepository(api.worker.database);
    await waitFor(async () => (await presence.countAnswerers(session.id)) === 1, { what: 'the person is present' });
    await waitFor(() => client.frames.some((each) => each.frame === 'notice' && each.kind === 'presence'), {
      what: 'the client hears who is there',
    });
    client.close();
    await waitFor(async () => (await presence.countAnswerers(session.id)) === 0, { what: 'the person has left' });
  });

  it('ends within a second of its token’s revocation, and when its person may no longer see the session', async () => {
    const { token, secret } = await create();
    const session = await owner.createSession(project.id, { visibility: 'project' });
    const client = await FrameClient.open(api.url, secret, `?session=${session.id}`);
    const revokedMs = performance.now();
    await owner.delete(`/v1/tokens/${token.id}`).expect(204);
    expect((await client.untilClosed()).code).toBe(4401);
    expect(performance.now() - revokedMs).toBeLessThan(1_000);
    expect(client.errors.map(({ code }) => code)).toEqual(['TOKEN_REVOKED']);

    const person = await owner.invite(teamId, 'leaver@example.org', 'member');
    const member = await open(person, `?session=${session.id}`);
    await owner.patch(`/v1/sessions/${session.id}`, { visibility: 'private' }).expect(200);
    await waitFor(() => member.frames.some((each) => each.frame === 'notice' && each.kind === 'session:closed'), {
      what: 'the session is closed to the member',
    });
    member.close();
  });

  it('says that its token ends, and takes another of the same person in a later handshake', async () => {
    const client = await FrameClient.open(
      api.url,
      (await create({ expiresAt: new Date(Date.now() + 60_000).toISOString() })).secret,
    );
    await waitFor(() => client.frames.some((each) => each.frame === 'notice' && each.kind === 'token:expiring'), {
      what: 'the end is announced',
    });
    const next = await create();
    expect(await client.shake(next.secret)).toMatchObject({
      frame: 'handshake',
      body: { expiresAt: next.token.expiresAt },
    });
    expect(await client.shake((await create({ commands: ['events:read'] })).secret)).toMatchObject({
      body: { code: 'TOKEN_SCOPE' },
    });
    expect(client.closed).toBeNull();
    client.close();
  });

  it('takes no frame that is not of the protocol, and answers each', async () => {
    const client = await open();
    for (const text of [
      '',
      'x',
      '[]',
      'null',
      '{}',
      '{"frame":1}',
      '{"frame":"command","body":[]}',
      '{"frame":"other"}',
    ]) {
      const before = client.errors.length;
      client.socket.send(text);
      await waitFor(() => client.errors.length > before, { what: `an answer to ${text}` });
    }
    client.socket.send(Buffer.from('{}'));
    client.socket.send(`{"frame":"command","command":"usage:read","body":${'{"a":'.repeat(100)}1${'}'.repeat(101)}`);
    expect(await client.command('usage:destroy')).toMatchObject({ body: { code: 'VALIDATION_FAILED' } });
    expect(await client.command('custom', { session: 'x'.repeat(300_000) })).toMatchObject({
      body: { code: 'MESSAGE_TOO_LARGE' },
    });
    expect(new Set(client.errors.map(({ code }) => code))).toEqual(new Set(['VALIDATION_FAILED', 'MESSAGE_TOO_LARGE']));
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => client.command('session:detach', { session: 'x' })),
    );
    expect(answers.filter(({ body }) => (body as { code?: string }).code === 'RATE_LIMITED').length).toBeGreaterThan(
      50,
    );
    client.close();
    const unproven = await FrameClient.connect(api.url);
    unproven.socket.send('x'.repeat(100_000));
    expect((await unproven.untilClosed()).code).toBe(1009);
  });

  it('takes a message as long as REST does', async () => {
    const session = await owner.createSession(project.id);
    const client = await open();
    expect(
      (await client.command('turn:send', { session: session.id, message: 'x'.repeat(4 * 1024 * 1024) })).frame,
    ).toBe('answer');
    const long = await client.command('turn:send', { session: session.id, message: 'x'.repeat(4 * 1024 * 1024 + 1) });
    expect(long.body).toMatchObject({ code: 'MESSAGE_TOO_LARGE' });
    client.close();
    await api.worker.settle(await api.worker.claimOf(session.id));
  });

  it('sends away a client that does not read, and loses nothing by it', async () => {
    const { session, turn } = await runningTurn();
    const slow = await open(owner, `?session=${session.id}`);
    await slow.until(1);
    const raw = (slow.socket as unknown as { _socket: Socket })._socket;
    raw.pause();
    await api.worker.stream(turn, 400, 60_000);
    const watching = await open(owner, `?session=${session.id}`);
    await watching.until(401);
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    expect(metrics).toMatch(/client_resyncs_total [1-9]/);
    raw.resume();
    await slow.untilClosed(15_000);
    const last = slow.events.at(-1)?.id ?? 0;
    expect(ids(slow.events)).toEqual(upTo(last));
    const again = await open(owner, `?session=${session.id}&lastEventId=${last}`);
    expect(ids(await again.until(401))).toEqual(upTo(401 - last, last));
    for (const each of [watching, again]) each.close();
    await api.worker.settle(turn);
  });
});

const NEEDS: Record<string, string[]> = {
  'turn:send': ['message'],
  'session:set_model': ['model'],
  'permission:answer': ['permissionId', 'decision'],
};
