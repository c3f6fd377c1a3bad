import type { Page, Problem, Session, Turn } from '@chirality/contracts';
import { messageSealOf, newId } from '@chirality/domain';
import { SecretBox } from '@chirality/platform';
import { waitFor } from '@chirality/testing';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

describe('sending a turn', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let projectId: string;
  let session: Session;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    projectId = (await owner.createProject()).id;
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    session = await owner.createSession(projectId);
  });
  afterEach(async () => {
    await owner.post(`/v1/sessions/${session.id}/interrupt`).expect(202);
  });

  const turns = (id = session.id) => `/v1/sessions/${id}/turns`;
  const listed = async () => ((await owner.get(turns()).expect(200)).body as Page<Turn>).data;

  it('is durable, queued and announced once it is answered', async () => {
    const turn = await owner.sendTurn(session.id, 'hello');
    expect(turn).toMatchObject({
      status: 'queued',
      kind: 'message',
      message: 'hello',
      attempt: 0,
      position: 1,
      author: { userId: owner.user.id, identityClass: 'human' },
    });
    expect(await listed()).toMatchObject([{ id: turn.id, status: 'queued' }]);
    const events = await owner.get(`/v1/sessions/${session.id}/events`).expect(200);
    expect(events.body).toMatchObject({
      data: [
        { id: 1, kind: 'turn:queued', turn: turn.id, payload: { message: 'hello', turnKind: 'message', position: 1 } },
      ],
    });
    expect((await owner.get(`${turns()}/${turn.id}`).expect(200)).body).toMatchObject({ id: turn.id });
    expect((await owner.get(`/v1/sessions/${session.id}`).expect(200)).body).toMatchObject({
      status: 'running',
      activeTurnId: turn.id,
      lastEventId: 1,
    });
    await waitFor(async () => ((await api.worker.messaging.turns.counts()).wait ?? 0) > 0, {
      what: 'the wake-up is in the queue',
    });
  });

  it.each(['NUL \0 inside', 'lone \ud800 surrogate', '/compact', '-p --dangerous', '😀', '   \u00a0x'])(
    'keeps the message %j for the worker as it was typed',
    async (message) => {
      await owner.sendTurn(session.id, message);
      const claimed = await api.worker.claim();
      const { secretKey } = (api.services[0] as (typeof api.services)[0]).config;
      expect(new SecretBox(secretKey).open(claimed.messageCipher, messageSealOf(session.id)).toString()).toBe(
        Buffer.from(message).toString(),
      );
      expect(claimed.message).toBe(message);
      await api.worker.settle(claimed, 'fail');
    },
  );

  it('masks secrets in what is shown, and gives them to the worker alone', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const turn = await owner.sendTurn(session.id, `my token is ${secret}`);
    expect(turn.message).toMatch(/^my token is «redacted:/);
    const shown = [
      JSON.stringify(await listed()),
      (await owner.get(`/v1/sessions/${session.id}/events`)).text,
      api.logLines.join(''),
    ].join('');
    expect(shown).not.toContain(secret);
  });

  it.each([
    ['', 'MESSAGE_EMPTY'],
    [' \n\t', 'MESSAGE_EMPTY'],
    [undefined, 'VALIDATION_FAILED'],
    [1, 'VALIDATION_FAILED'],
  ])('refuses the message %j as %s', async (message, code) => {
    const response = await owner.post(turns(), { message }).expect(400);
    expect(response.body).toMatchObject({ code });
    expect(await listed()).toEqual([]);
  });

  it('takes 4 MiB of text however it is written, and nothing beyond, also of bodies far beyond', async () => {
    const send = (body: string) => owner.post(turns()).set('content-type', 'application/json').send(body);
    const limit = 4 * 1024 * 1024;
    const escaped = `{"message":"${'\\u0000'.repeat(limit)}"}`;
    expect(escaped.length).toBeGreaterThan(24 * 1024 * 1024);
    await send(escaped).expect(202);
    await owner.post(`/v1/sessions/${session.id}/interrupt`).expect(202);
    for (const body of [
      JSON.stringify({ message: 'x'.repeat(limit + 1) }),
      JSON.stringify({ message: 'x'.repeat(11 * 1024 * 1024) }),
      `{"message":"${'\\u0000'.repeat(limit + 1)}"}`,
      'x'.repeat(27 * 1024 * 1024),
    ]) {
      const response = await send(body).expect(413);
      expect(response.body).toMatchObject({ code: 'MESSAGE_TOO_LARGE', status: 413 });
    }
    const anonymous = await api.client
      .post(turns())
      .set('content-type', 'application/json')
      .send(JSON.stringify({ message: 'x'.repeat(11 * 1024 * 1024) }))
      .expect(401);
    expect(anonymous.body).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('makes one turn of twenty requests with one key, on two nodes, also after it ended', async () => {
    const other = await (await api.startNode()).login();
    const key = { 'idempotency-key': 'one-key' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 ? owner : other).post(turns(), { message: 'once' }).set(key).expect(202),
      ),
    );
    const ids = new Set(answers.map(({ body }) => (body as { turn: Turn }).turn.id));
    expect([ids.size, (await listed()).length]).toEqual([1, 1]);
    const different = await owner.post(turns(), { message: 'twice' }).set(key).expect(422);
    expect(different.body).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    const claimed = await api.worker.claim();
    await api.worker.become(claimed, 'spawned');
    await api.worker.settle(claimed);
    const again = await owner.post(turns(), { message: 'once' }).set(key).expect(202);
    expect((again.body as { turn: Turn }).turn).toMatchObject({ id: claimed.id, status: 'completed' });
    const another = await owner.createSession(projectId);
    expect((await owner.sendTurn(another.id, 'other', key)).id).not.toBe(claimed.id);
    await owner.post(`/v1/sessions/${another.id}/interrupt`).expect(202);
    await owner
      .post(turns(), { message: 'x' })
      .set({ 'idempotency-key': 'x'.repeat(201) })
      .expect(400);
  });

  it('is refused while another turn has the session, saying whose and since when', async () => {
    const first = await owner.sendTurn(session.id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => owner.post(turns(), { message: 'me too' }).expect(409)),
    );
    for (const { body } of answers) {
      expect(body).toMatchObject({
        code: 'TURN_IN_PROGRESS',
        turnId: first.id,
        holder: { userId: owner.user.id, name: 'Owner' },
        since: first.queuedAt,
      });
    }
    await owner.post(`/v1/sessions/${session.id}/compact`).expect(409);
  });

  it('has its schema judged after everything else that could refuse it', async () => {
    const message = { message: 'x', outputSchema: { type: 'object', properties: { a: { type: 'text' } } } };
    session = await owner.createSession(projectId, { visibility: 'project' });
    const answer = async (client: ApiClient) => ((await client.post(turns(), message)).body as Problem).code;
    const viewer = await owner.invite(session.teamId, 'schema-viewer@example.org', 'viewer');
    expect(await answer(viewer)).toBe('FORBIDDEN');
    expect(await answer(owner)).toBe('SCHEMA_INVALID');
    await owner.sendTurn(session.id, 'first');
    expect(await answer(owner)).toBe('TURN_IN_PROGRESS');
  });

  it('resolves each option along the chain and says where it came from', async () => {
    const own = await owner.createSession(projectId, { persona: 'reviewer', options: { model: 'opus', maxTurns: 7 } });
    const response = await owner.post(turns(own.id), { message: 'x', options: { maxTurns: 3 } }).expect(202);
    expect((response.body as { turn: Turn }).turn.options).toMatchObject({
      maxTurns: { value: 3, from: 'turn' },
      model: { value: 'opus', from: 'session' },
      disallowedTools: { from: 'persona' },
      permissionMode: { value: 'default', from: 'built-in' },
    });
    const bad = await owner
      .post(turns(own.id), { message: 'x', options: { permissionMode: 'bypassPermissions' } })
      .expect(400);
    expect((bad.body as Problem)['errors']).toMatchObject([{ path: 'options.permissionMode' }]);
    await owner.post(`/v1/sessions/${own.id}/interrupt`);
  });

  it('waits for the end where it is asked to', async () => {
    const waiting = owner.post(`${turns()}?wait=turn`, { message: 'wait' }).then((response) => response);
    let claimed: Awaited<ReturnType<typeof api.worker.claim>> | null = null;
    await waitFor(async () => (claimed = await api.worker.claims.claimNext(api.worker)) !== null, {
      what: 'the turn is queued',
    });
    const turn = claimed as unknown as Awaited<ReturnType<typeof api.worker.claim>>;
    await api.worker.become(turn, 'spawned');
    await api.worker.settle(turn);
    const response = await waiting;
    expect([response.status, response.body]).toMatchObject([
      200,
      { turn: { id: turn.id, status: 'completed', text: 'done' } },
    ]);
  });

  it('can be interrupted at every moment, any number of times', async () => {
    const interrupt = async () =>
      ((await owner.post(`/v1/sessions/${session.id}/interrupt`).expect(202)).body as { turn: Turn | null }).turn;
    expect(await interrupt()).toBeNull();
    const queued = await owner.sendTurn(session.id);
    const answers = await Promise.all([interrupt(), interrupt(), interrupt()]);
    expect(
      answers.map((turn) => turn?.status ?? 'none').every((status) => status === 'cancelled' || status === 'none'),
    ).toBe(true);
    expect((await listed())[0]).toMatchObject({ id: queued.id, status: 'cancelled' });
    await owner.sendTurn(session.id, 'second');
    const signals: string[] = [];
    const subscription = api.worker.messaging.signals.subscribe(api.worker.id, ({ turnId, reason }) =>
      signals.push(`${reason} ${turnId}`),
    );
    await subscription.ready;
    const claimed = await api.worker.claim();
    await api.worker.become(claimed, 'spawned');
    expect(await interrupt()).toMatchObject({ id: claimed.id, status: 'running' });
    await waitFor(() => signals.includes(`interrupt ${claimed.id}`), { what: 'the worker is signalled' });
    expect((await api.worker.turns.readSignals(api.worker.id)).interrupts).toMatchObject([
      { turnId: claimed.id, userId: owner.user.id },
    ]);
    await api.worker.settle(claimed, 'interrupt');
    expect(await interrupt()).toBeNull();
    subscription();
  });

  it('boots a session as a separate kind of turn', async () => {
    const booting = owner.post(`/v1/sessions/${session.id}/boot`).then((response) => response);
    await waitFor(async () => (await listed()).length === 1, { what: 'the boot is queued' });
    const second = await owner.post(`/v1/sessions/${session.id}/boot`).expect(409);
    expect(second.body).toMatchObject({ code: 'BOOT_IN_PROGRESS' });
    const claimed = await api.worker.claim();
    expect(claimed.kind).toBe('boot');
    await api.worker.become(claimed, 'spawned');
    await api.worker.settle(claimed);
    const booted = await booting;
    expect([booted.status, booted.body]).toMatchObject([200, { session: { id: session.id }, boot: {} }]);
  });

  it('is refused where no worker has a sandbox that was proven, but not forgotten', async () => {
    const key = { 'idempotency-key': newId('request') };
    const kept = await owner.sendTurn(session.id, 'kept', key);
    await api.worker.workers.reportSandbox(api.worker.id, 'unavailable', 'bwrap: no permissions');
    const fresh = await owner.createSession(projectId);
    await waitFor(
      async () =>
        (await owner.post(turns(fresh.id), { message: 'x' })).status !== 202 ||
        ((await owner.post(`/v1/sessions/${fresh.id}/interrupt`)).status, false),
      {
        what: 'the sandbox is known to be gone',
        everyMs: 100,
      },
    );
    const refused = await owner.post(turns(fresh.id), { message: 'x' }).expect(503);
    expect(refused.body).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      detail: expect.stringContaining('bwrap') as string,
    });
    expect(refused.headers['retry-after']).toBeDefined();
    expect(await owner.sendTurn(session.id, 'kept', key)).toMatchObject({ id: kept.id });
    await api.worker.workers.reportSandbox(api.worker.id, 'bubblewrap', null);
    await owner.post(turns(fresh.id), { message: 'x' }).expect(202);
    await owner.post(`/v1/sessions/${fresh.id}/interrupt`).expect(202);
  });

  it('names an unnamed session by its first message', async () => {
    const unnamed = (await owner.post('/v1/sessions', { projectId }).expect(201)).body as Session;
    expect(unnamed.title).toBe('New session');
    await owner.sendTurn(unnamed.id, '# Explain the project\nplease');
    await waitFor(
      async () => ((await owner.get(`/v1/sessions/${unnamed.id}`)).body as Session).title === 'Explain the project',
      { what: 'the session has its title' },
    );
    await owner.post(`/v1/sessions/${unnamed.id}/interrupt`).expect(202);
  });
});
