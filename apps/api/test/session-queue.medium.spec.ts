import type { CreatedToken, Envelope, Page, QueueItem, Session, SessionQueue, Turn } from '@chirality/contracts';
import { QueueItemRepository } from '@chirality/database';
import { waitFor } from '@chirality/testing';
import { passwordOf, type ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(90_000);

describe('messages that are sent while a turn runs', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let ownerElsewhere: ApiClient;
  let teamId: string;
  let projectId: string;
  let session: Session;
  let people = 0;

  beforeAll(async () => {
    api = await ApiHarness.start({ env: { NODE_ENV: 'test', CHIRALITY_TEST_LIMITS: '{"queueLookMs":200}' } });
    owner = await api.client.login();
    ownerElsewhere = await (await api.startNode()).login();
    teamId = (await owner.team()).id;
    member = await owner.invite(teamId, 'member@example.org', 'member');
    projectId = (await owner.createProject()).id;
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    session = await owner.createSession(projectId, { visibility: 'project' });
  });
  afterEach(async () => {
    await owner.delete(`${queuePath()}`).expect(200);
    await owner.post(`/v1/sessions/${session.id}/interrupt`).expect(202);
    const left = await api.worker.claims.claimNext(api.worker);
    if (left) await api.worker.settle(left, 'fail');
  });

  const queuePath = () => `/v1/sessions/${session.id}/queue`;
  const turnsPath = () => `/v1/sessions/${session.id}/turns`;
  const queue = async (who: ApiClient, message: string, more: object = {}) =>
    ((await who.post(turnsPath(), { message, whenBusy: 'queue', ...more }).expect(202)).body as { item: QueueItem })
      .item;
  const queued = async () => (await member.get(queuePath()).expect(200)).body as SessionQueue;
  const words = async () => (await queued()).data.map(({ message }) => message);
  const turns = async () =>
    ((await owner.get(`${turnsPath()}?limit=100`).expect(200)).body as Page<Turn>).data.reverse();
  const events = async () =>
    ((await owner.get(`/v1/sessions/${session.id}/events`).expect(200)).body as Page<Envelope>).data;
  const nextTurn = async (message: string): Promise<Turn> => {
    const find = async () => (await turns()).find((turn) => turn.message === message && turn.status === 'queued');
    await waitFor(async () => (await find()) !== undefined, { what: `"${message}" is a turn` });
    return (await find()) as Turn;
  };
  const running = async () => {
    await owner.sendTurn(session.id, 'first');
    return begin();
  };
  const begin = async () => {
    const turn = await api.worker.claimOf(session.id);
    await api.worker.become(turn, 'spawned');
    return turn;
  };

  it('wait in their order and run as their authors, each once, with two servers at it', async () => {
    let turn = await running();
    const expected: string[] = [];
    for (let n = 1; n <= 5; n++) {
      await queue(n % 2 ? member : ownerElsewhere, `message ${n}`);
      expected.push(`message ${n}`);
    }
    expect(await words()).toEqual(expected);
    for (const message of expected) {
      await api.worker.settle(turn);
      await nextTurn(message);
      turn = await begin();
    }
    await api.worker.settle(turn);
    const made = await turns();
    expect(made.map(({ message, author }) => [message, author.name])).toEqual([
      ['first', owner.user.name],
      ...expected.map((message, at) => [message, at % 2 ? owner.user.name : member.user.name]),
    ]);
    expect(await queued()).toEqual({ data: [], paused: null });
    const log = await events();
    expect(log.map(({ id }) => id)).toEqual(log.map((_, at) => at + 1));
    expect(log.filter(({ kind }) => kind === 'turn:queued').map(({ payload }) => 'item' in payload)).toEqual([
      false,
      ...expected.map(() => true),
    ]);
  });

  it('are shown to everyone, masked, and reach the model as they were typed', async () => {
    const turn = await running();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const item = await queue(member, `use ${secret}`);
    expect(item.message).toMatch(/^use «redacted:/);
    const update = (await events()).at(-1);
    expect(update).toMatchObject({
      kind: 'queue:update',
      turn: null,
      payload: { items: [{ id: item.id, author: { name: member.user.name }, message: item.message }], paused: null },
    });
    await api.worker.settle(turn);
    await nextTurn(item.message);
    const claimed = await begin();
    const { rows } = await api.worker.database.pool.query(
      'SELECT message_cipher, turn_id FROM queue_item WHERE id = $1',
      [item.id],
    );
    expect(rows).toEqual([{ message_cipher: null, turn_id: claimed.id }]);
    expect(claimed.message).toBe(item.message);
    expect(claimed.messageCipher.length).toBeGreaterThan(0);
    await api.worker.settle(claimed);
  });

  it('are refused without the wish to wait, run at once where nothing runs, and are twenty at most', async () => {
    const sent = (await owner.post(turnsPath(), { message: 'first', whenBusy: 'queue' }).expect(202)).body as object;
    expect(sent).toMatchObject({ turn: { message: 'first' } });
    await owner.post(turnsPath(), { message: 'x' }).expect(409);
    for (let n = 0; n < 20; n++) await queue(owner, `${n}`);
    const { body } = await owner.post(turnsPath(), { message: 'x', whenBusy: 'queue' }).expect(409);
    expect(body).toMatchObject({ code: 'QUEUE_FULL' });
  });

  it('are one message by one key, before and after it ran', async () => {
    const turn = await running();
    const send = () =>
      owner.post(turnsPath(), { message: 'once', whenBusy: 'queue' }).set('idempotency-key', session.id);
    const [one, two] = await Promise.all([send(), send()]);
    expect((one.body as { item: QueueItem }).item.id).toBe((two.body as { item: QueueItem }).item.id);
    await owner
      .post(turnsPath(), { message: 'other', whenBusy: 'queue' })
      .set('idempotency-key', session.id)
      .expect(422);
    await api.worker.settle(turn);
    const made = await nextTurn('once');
    expect((await send().expect(202)).body).toMatchObject({ turn: { id: made.id } });
    expect((await turns()).length).toBe(2);
  });

  it('are edited by their author alone, moved by anyone who may write, and removed by author or manager', async () => {
    await running();
    const [a, b, c] = [await queue(owner, 'a'), await queue(member, 'b'), await queue(member, 'c')];
    await owner.patch(`${queuePath()}/${b.id}`, { message: 'B' }).expect(403);
    await member.patch(`${queuePath()}/${b.id}`, { message: ' ' }).expect(400);
    await member.patch(`${queuePath()}/${b.id}`, { message: 'B' }).expect(200);
    await owner.patch(`${queuePath()}/${c.id}`, { after: null }).expect(200);
    expect(await words()).toEqual(['c', 'a', 'B']);
    await member.patch(`${queuePath()}/${c.id}`, { after: a.id }).expect(200);
    expect(await words()).toEqual(['a', 'c', 'B']);
    await member.delete(`${queuePath()}/${a.id}`).expect(403);
    await owner.delete(`${queuePath()}/${b.id}`).expect(204);
    await owner.delete(`${queuePath()}/${b.id}`).expect(404);
    await owner.patch(`${queuePath()}/${a.id}`, { after: b.id }).expect(409);
    expect((await member.delete(queuePath()).expect(200)).body).toMatchObject({ data: [{ id: a.id }] });
  });

  it('take no words from a program of their author, since they run with more rights than it has, nor the reverse', async () => {
    const { body } = await owner.post('/v1/tokens', { name: 'CI', teamId, identityClass: 'agent' }).expect(201);
    const program = api.client;
    program.token = (body as CreatedToken).secret;
    await running();
    const [typed, sent] = [await queue(owner, 'typed'), await queue(program, 'sent')];
    const { body: refusal } = await program.patch(`${queuePath()}/${typed.id}`, { message: 'other' }).expect(403);
    expect(refusal).toMatchObject({ code: 'FORBIDDEN' });
    await program.patch(`${queuePath()}/${typed.id}`, { options: { model: 'opus' } }).expect(403);
    await owner.patch(`${queuePath()}/${sent.id}`, { message: 'other' }).expect(403);
    await program.patch(`${queuePath()}/${sent.id}`, { message: 'sent again' }).expect(200);
    expect(await words()).toEqual(['typed', 'sent again']);
  });

  it.each(['interrupt', 'fail'] as const)('stay and wait for people after a turn that ended by %s', async (cause) => {
    const turn = await running();
    await queue(member, 'later');
    if (cause === 'interrupt') await owner.post(`/v1/sessions/${session.id}/interrupt`).expect(202);
    await api.worker.settle(turn, cause);
    const reason = cause === 'interrupt' ? 'stopped' : 'failed';
    expect(await queued()).toMatchObject({ data: [{ message: 'later' }], paused: { reason } });
    const log = await events();
    expect(log.slice(-2)).toMatchObject([
      { kind: 'queue:update', payload: { paused: { reason } } },
      { kind: 'turn:end' },
    ]);
    // A paused queue is in no one's way.
    const between = await owner.sendTurn(session.id, 'between');
    await api.worker.settle(await begin());
    expect((await turns()).map(({ id }) => id)).toContain(between.id);
    await member.patch(queuePath(), { paused: false }).expect(200);
    await nextTurn('later');
  });

  it('run first where their author has the turn interrupted for them, and the others follow', async () => {
    const turn = await running();
    await queue(member, 'later');
    const { body } = await owner.post(turnsPath(), { message: 'now', whenBusy: 'interrupt' }).expect(202);
    expect(body).toMatchObject({ item: { message: 'now', urgent: true } });
    expect(await words()).toEqual(['now', 'later']);
    expect(await interruptOf(turn.id)).toBe(owner.user.id);
    await api.worker.settle(turn, 'interrupt');
    await nextTurn('now');
    await api.worker.settle(await begin());
    await nextTurn('later');
  });

  it('are sent now from the list by anyone who may write', async () => {
    const turn = await running();
    await queue(owner, 'a');
    const b = await queue(owner, 'b');
    await member.post(`${queuePath()}/${b.id}/send`).expect(202);
    expect(await words()).toEqual(['b', 'a']);
    expect(await interruptOf(turn.id)).toBe(member.user.id);
    await api.worker.settle(turn, 'interrupt');
    expect((await nextTurn('b')).author.userId).toBe(owner.user.id);
  });

  it('have the turn interrupted although the server died before it asked for that', async () => {
    const turn = await running();
    const items = new QueueItemRepository(api.worker.database, api.worker.log);
    const waiting = await queue(member, 'now');
    await items.hasten(session.id, waiting.id, { system: true });
    await waitFor(async () => (await interruptOf(turn.id)) === member.user.id, { what: 'the interrupt is asked for' });
    await api.worker.settle(turn, 'interrupt');
    await nextTurn('now');
  });

  it('are dropped with a notice where their author lost the right, and the next one runs', async () => {
    const turn = await running();
    people += 1;
    const leaving = await owner.invite(teamId, `leaving-${people}@example.org`, 'member');
    const item = await queue(leaving, 'from one who leaves');
    await queue(member, 'next');
    await owner.delete(`/v1/teams/${teamId}/members/${leaving.user.id}`).expect(204);
    await api.worker.settle(turn);
    await nextTurn('next');
    expect((await events()).find(({ payload }) => 'dropped' in payload)).toMatchObject({
      kind: 'queue:update',
      payload: { dropped: { id: item.id, author: { name: leaving.user.name } } },
    });
  });

  it('pause the queue with the reason where the budget of their author is spent', async () => {
    const turn = await running();
    await queue(member, 'costly');
    const { body } = await owner
      .post('/v1/budgets', { scope: 'user', teamId, subjectId: member.user.id, period: 'month', limitUsd: '0' })
      .expect(201);
    const budget = body as { id: string };
    const key = (await member.post('/v1/keys', { scope: 'user', value: `sk-ant-api03-${'k'.repeat(60)}` }).expect(201))
      .body as { id: string };
    await api.worker.settle(turn);
    await waitFor(async () => (await queued()).paused !== null, { what: 'the queue is paused' });
    const { paused } = await queued();
    expect(paused).toMatchObject({ reason: 'refused', detail: expect.stringMatching(/budget/i) as string });
    await owner.delete(`/v1/budgets/${budget.id}`).expect(204);
    await member.delete(`/v1/keys/${key.id}`).expect(204);
    await member.patch(queuePath(), { paused: false }).expect(200);
    await nextTurn('costly');
  });

  it('survive every server: what waits is run by the next one', async () => {
    const turn = await running();
    await queue(member, 'kept');
    await api.stopNodes();
    await api.worker.settle(turn);
    owner = await (await api.startNode()).login();
    member = await (
      await api.startNode()
    ).login({ email: 'member@example.org', password: passwordOf('member@example.org') });
    await nextTurn('kept');
    expect((await turns()).map(({ message }) => message)).toEqual(['first', 'kept']);
  });

  async function interruptOf(turnId: string): Promise<string | null> {
    const { rows } = await api.worker.database.pool.query<{ interrupted_by_id: string | null }>(
      'SELECT interrupted_by_id FROM turn WHERE id = $1',
      [turnId],
    );
    return rows[0]?.interrupted_by_id ?? null;
  }
});
