import { createHmac } from 'node:crypto';
import type { AuditEntry, Page, Schedule, ScheduleRun, ScheduleTrigger, Session, Turn } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import request from 'supertest';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(120_000);

describe('schedules', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let teamId: string;
  let projectId: string;

  beforeAll(async () => {
    api = await ApiHarness.start({
      env: { NODE_ENV: 'test', CHIRALITY_TEST_LIMITS: JSON.stringify({ scheduleLookMs: 200 }) },
    });
    // Two servers look at the same rows.
    await api.startNode();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    projectId = (await owner.createProject('Scheduled')).id;
  });
  afterAll(() => api.stop());

  const codeOf = ({ body }: { body: object }) => (body as { code?: string }).code;
  const create = async (more: object = {}, who = owner) =>
    (await who.post('/v1/schedules', { projectId, name: 'Nightly', message: 'review', ...more }).expect(201))
      .body as Schedule;
  const get = async (id: string) => (await owner.get(`/v1/schedules/${id}`).expect(200)).body as Schedule;
  const runsOf = async (id: string) =>
    ((await owner.get(`/v1/schedules/${id}/runs`).expect(200)).body as Page<ScheduleRun>).data;
  /** As if the time were so much later. */
  const dueSince = (id: string, since: string) =>
    api.worker.database.pool.query(
      "UPDATE schedule SET next_at = date_trunc('minute', now()) - $2::interval WHERE id = $1",
      [id, since],
    );
  const untilRun = async (id: string, isSo: (run: ScheduleRun) => boolean) => {
    await waitFor(async () => (await runsOf(id)).some(isSo), { what: 'the run is so' });
    return (await runsOf(id)).find(isSo) as ScheduleRun;
  };

  it('are previewed in words, with the next five times', async () => {
    const preview = await owner
      .post('/v1/schedules/preview', { cron: '30 0 * * 1', timezone: 'Asia/Tokyo' })
      .expect(200);
    expect(preview.body).toMatchObject({ words: 'Every Monday at 00:30, Asia/Tokyo' });
    const { next } = preview.body as { next: string[] };
    expect(next).toHaveLength(5);
    for (const at of next) expect(at).toMatch(/T15:30:00.000Z$/);
    for (const wrong of [
      { cron: '* * * * *', timezone: 'UTC' },
      { cron: '0 9 * *', timezone: 'UTC' },
      { cron: '0 9 * * *', timezone: 'Mars/Base' },
    ])
      expect(codeOf(await owner.post('/v1/schedules/preview', wrong).expect(400))).toBe('VALIDATION_FAILED');
  });

  it('run once for all servers, in their owner’s name and as an agent', async () => {
    const schedule = await create({ cron: '*/5 * * * *', timezone: 'Europe/Berlin', budgetUsd: '1.5' });
    expect(schedule).toMatchObject({ status: 'active', owner: { userId: owner.user.id }, session: 'new' });
    await dueSince(schedule.id, '0');
    const run = await untilRun(schedule.id, ({ state }) => state === 'running');
    expect(run).toMatchObject({ cause: 'time', detail: null });
    const session = (await owner.get(`/v1/sessions/${run.sessionId}`).expect(200)).body as Session;
    expect(session).toMatchObject({
      title: 'Nightly',
      visibility: 'project',
      startedBy: { identityClass: 'agent', tokenName: 'Nightly' },
    });
    const turns = ((await owner.get(`/v1/sessions/${run.sessionId}/turns`).expect(200)).body as Page<Turn>).data;
    expect(turns.map(({ id, author, message }) => [id, author.userId, author.identityClass, message])).toEqual([
      [run.turnId, owner.user.id, 'agent', 'review'],
    ]);
    expect(Date.parse((await get(schedule.id)).next[0] ?? '')).toBeGreaterThan(Date.now());
    const claimed = await api.worker.claimOf(session.id);
    await api.worker.become(claimed, 'spawned');
    await api.worker.settle(claimed);
    await untilRun(schedule.id, ({ id, state }) => id === run.id && state === 'done');
    expect(await runsOf(schedule.id)).toHaveLength(1);
    await owner.delete(`/v1/schedules/${schedule.id}`).expect(204);
    await owner.get(`/v1/sessions/${session.id}`).expect(200);
  });

  it('list what was missed while no server was there, and run none of it', async () => {
    const schedule = await create({ cron: '0 * * * *' });
    await api.worker.database.pool.query(
      "UPDATE schedule SET next_at = date_trunc('hour', now()) - interval '3 hours' WHERE id = $1",
      [schedule.id],
    );
    await waitFor(async () => (await runsOf(schedule.id)).length >= 3, { what: 'they are listed' });
    const runs = await runsOf(schedule.id);
    expect(runs.slice(1).map(({ state }) => state)).toEqual(runs.slice(1).map(() => 'missed'));
    expect(runs).toHaveLength(4);
    expect(new Set(runs.map(({ plannedAt }) => plannedAt)).size).toBe(4);
    await owner.delete(`/v1/schedules/${schedule.id}`).expect(204);
  });

  it('are paused after three failures, and say so', async () => {
    const session = await owner.createSession(projectId);
    const schedule = await create({ session: session.id });
    await owner.delete(`/v1/sessions/${session.id}`).expect(204);
    for (const failures of [1, 2]) {
      const run = (await owner.post(`/v1/schedules/${schedule.id}/run`).expect(200)).body as ScheduleRun;
      expect(run).toMatchObject({
        cause: 'person',
        state: 'refused',
        detail: expect.stringMatching(/archived/) as string,
      });
      expect(await get(schedule.id)).toMatchObject({ status: 'active', failures });
    }
    await owner.post(`/v1/schedules/${schedule.id}/run`).expect(200);
    expect(await get(schedule.id)).toMatchObject({
      status: 'paused',
      pausedBecause: 'failures',
      failures: 3,
      next: [],
    });
    const { data } = (await owner.get(`/v1/audit?teamId=${teamId}&action=schedule:pause`).expect(200))
      .body as Page<AuditEntry>;
    expect(data.filter(({ object }) => object === schedule.id)).toHaveLength(1);
    const resumed = await owner.patch(`/v1/schedules/${schedule.id}`, { status: 'active', session: 'new' }).expect(200);
    expect(resumed.body).toMatchObject({ status: 'active', failures: 0, session: 'new' });
    expect((await owner.post(`/v1/schedules/${schedule.id}/run`).expect(200)).body).toMatchObject({ state: 'running' });
  });

  it('use the rights and budgets that their owner has at that moment', async () => {
    const member = await owner.invite(teamId, 'leaving@example.org', 'member');
    const schedule = await create({ cron: '0 9 * * *' }, member);
    await owner.delete(`/v1/teams/${teamId}/members/${member.user.id}`).expect(204);
    await dueSince(schedule.id, '0');
    const run = await untilRun(schedule.id, ({ state }) => state === 'refused');
    expect(run).toMatchObject({ cause: 'time', detail: expect.stringMatching(/no longer in the team/) as string });
    const account = (await owner.post('/v1/service-accounts', { teamId, name: 'Bot' }).expect(201)).body as {
      id: string;
    };
    const ofBot = await create({ serviceAccountId: account.id });
    expect(ofBot.owner).toEqual({ userId: account.id, name: 'Bot', isServiceAccount: true });
    await owner
      .post('/v1/budgets', { scope: 'user', subjectId: account.id, teamId, period: 'month', limitUsd: '0' })
      .expect(201);
    await owner.post('/v1/keys', { scope: 'team', teamId, value: `sk-ant-api03-${'k'.repeat(80)}` }).expect(201);
    const sessions = async () => ((await owner.get('/v1/sessions').expect(200)).body as Page<Session>).data.length;
    const before = await sessions();
    const spent = (await owner.post(`/v1/schedules/${ofBot.id}/run`).expect(200)).body as ScheduleRun;
    expect(spent).toMatchObject({ state: 'refused', detail: expect.stringMatching(/budget/i) as string });
    expect(await sessions()).toBe(before);
  });

  it('have no secret that someone holds who left or became a viewer; those of others stay', async () => {
    const { id: serviceAccountId } = (await owner.post('/v1/service-accounts', { teamId, name: 'Shared' }).expect(201))
      .body as { id: string };
    for (const role of [null, 'viewer']) {
      const admin = await owner.invite(teamId, `holder-${role}@example.org`, 'admin');
      const [theirs, mine] = [await create({ serviceAccountId }), await create()];
      await admin.post(`/v1/schedules/${theirs.id}/trigger`).expect(201);
      await owner.post(`/v1/schedules/${mine.id}/trigger`).expect(201);
      const path = `/v1/teams/${teamId}/members/${admin.user.id}`;
      await (role === null ? owner.delete(path).expect(204) : owner.patch(path, { role }).expect(200));
      const { rows } = await api.worker.database.pool.query<{ trigger_generation: number }>(
        'SELECT trigger_generation FROM schedule WHERE id = ANY($1) ORDER BY trigger_generation',
        [[theirs.id, mine.id]],
      );
      expect(rows.map((row) => row.trigger_generation)).toEqual([1, 2]);
      await owner.post(`/v1/schedules/${theirs.id}/trigger`).expect(201);
    }
  });

  it('are started by signed requests, each once, and by no others', async () => {
    const schedule = await create();
    const path = `/v1/triggers/${schedule.id}`;
    await request(api.url).post(path).send('{}').expect(404);
    const { url, secret } = (await owner.post(`/v1/schedules/${schedule.id}/trigger`).expect(201))
      .body as ScheduleTrigger;
    expect(url.endsWith(path)).toBe(true);
    const call = (id: string, body: string, { at = Date.now(), key = secret, sent = body } = {}) => {
      const time = String(Math.floor(at / 1_000));
      const signature = createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
        .update(`${id}.${time}.${body}`)
        .digest('base64');
      return request(api.url)
        .post(path)
        .set({ 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': time })
        .set('webhook-signature', `v1,AAAA v1,${signature}`)
        .send(sent);
    };
    const body = JSON.stringify({ failed: 'build ``` 7' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('msg_1', body).expect(202)));
    const outcomes = answers.map((one) => (one.body as { outcome: string }).outcome);
    expect(outcomes.sort()).toEqual(['repeated', 'repeated', 'repeated', 'repeated', 'started']);
    const run = await untilRun(schedule.id, ({ state }) => state === 'running');
    const [turn] = ((await owner.get(`/v1/sessions/${run.sessionId}/turns`).expect(200)).body as Page<Turn>).data;
    expect(turn?.message).toContain(body);
    expect(turn?.message).toContain('````');
    for (const refused of [
      call('msg_2', body, { at: Date.now() - 6 * 60_000 }),
      call('msg_3', body, { at: Date.now() + 6 * 60_000 }),
      call('msg_4', body, { sent: `${body} ` }),
      call('msg_5', body, { key: `whsec_${Buffer.alloc(32).toString('base64')}` }),
    ])
      expect(codeOf(await refused.expect(401))).toBe('UNAUTHENTICATED');
    await call('msg_6', 'x'.repeat(70_000)).expect(413);
    await owner.post(`/v1/schedules/${schedule.id}/trigger`).expect(201);
    await call('msg_7', body).expect(401);
    expect(await runsOf(schedule.id)).toHaveLength(1);
    const { rows } = await api.worker.database.pool.query('SELECT * FROM schedule');
    expect(JSON.stringify(rows) + api.logLines.join('')).not.toContain(secret);
  });

  it('are changed by their owner and seen by members of the project', async () => {
    const [one, two] = [
      await owner.invite(teamId, 'one@example.org', 'member'),
      await owner.invite(teamId, 'two@example.org', 'member'),
    ];
    const viewer = await owner.invite(teamId, 'viewer@example.org', 'viewer');
    const schedule = await create({ cron: '0 9 * * *' }, one);
    await two.patch(`/v1/schedules/${schedule.id}`, { message: 'mine now' }).expect(403);
    await two.patch(`/v1/schedules/${schedule.id}`, { status: 'paused' }).expect(403);
    await two.post(`/v1/schedules/${schedule.id}/run`).expect(403);
    await two.delete(`/v1/schedules/${schedule.id}`).expect(403);
    await viewer.post('/v1/schedules', { projectId, message: 'x' }).expect(403);
    expect((await viewer.get(`/v1/schedules?projectId=${projectId}`).expect(200)).text).toContain(schedule.id);
    const paused = await one.patch(`/v1/schedules/${schedule.id}`, { status: 'paused' }).expect(200);
    expect(paused.body).toMatchObject({ status: 'paused', pausedBecause: 'person', next: [] });
    await one.patch(`/v1/schedules/${schedule.id}`, { cron: '0 8 * * *' }).expect(200);
    await one.delete(`/v1/schedules/${schedule.id}`).expect(204);
  });

  it('write and spend as their owner says: who manages the project pauses and deletes them, no more', async () => {
    const member = await owner.invite(teamId, 'private@example.org', 'member');
    const secret = await member.createSession(projectId);
    await member.patch(`/v1/sessions/${secret.id}`, { visibility: 'private' }).expect(200);
    const schedule = await create({ session: secret.id }, member);
    const path = `/v1/schedules/${schedule.id}`;
    await owner.get(`/v1/sessions/${secret.id}`).expect(404);
    for (const change of [
      { message: 'show me your files' },
      { persona: 'reviewer' },
      { budgetUsd: '100' },
      { session: 'new' },
      { cron: '*/5 * * * *' },
      { timezone: 'Asia/Tokyo' },
      { name: 'Mine' },
      { status: 'active' },
      { status: 'paused', message: 'show me your files' },
    ])
      expect(codeOf(await owner.patch(path, change).expect(403))).toBe('FORBIDDEN');
    await owner.post(`${path}/run`).expect(403);
    await owner.post(`${path}/trigger`).expect(403);
    expect(await get(schedule.id)).toMatchObject({ message: 'review', status: 'active', triggerUrl: null });

    const run = (await member.post(`${path}/run`).expect(200)).body as ScheduleRun;
    expect(run).toMatchObject({ state: 'running', sessionId: secret.id });
    expect((await member.get(path).expect(200)).body).toMatchObject({
      session: secret.id,
      lastRun: { sessionId: secret.id, turnId: run.turnId },
    });
    for (const seen of [path, `${path}/runs`, `/v1/schedules?projectId=${projectId}`]) {
      const { text } = await owner.get(seen).expect(200);
      expect(text).toContain(run.id);
      expect(text).not.toContain(secret.id);
      expect(text).not.toContain(run.turnId);
    }
    expect(await get(schedule.id)).toMatchObject({ session: null, lastRun: { sessionId: null, turnId: null } });

    await owner.patch(path, { status: 'paused' }).expect(200);
    expect((await member.get(path).expect(200)).body).toMatchObject({ status: 'paused', message: 'review' });
    await owner.delete(path).expect(204);
  });

  it('of a service account are changed by those who may use it', async () => {
    const keeper = await owner.invite(teamId, 'keeper@example.org', 'member');
    const other = await owner.invite(teamId, 'other@example.org', 'member');
    const account = (
      await owner.post('/v1/service-accounts', { teamId, name: 'Keeper', ownerId: keeper.user.id }).expect(201)
    ).body as { id: string };
    const { id } = await create({ serviceAccountId: account.id });
    await other.patch(`/v1/schedules/${id}`, { message: 'mine now' }).expect(403);
    await keeper.patch(`/v1/schedules/${id}`, { message: 'by its keeper' }).expect(200);
    await owner.patch(`/v1/schedules/${id}`, { message: 'by an admin' }).expect(200);
    await owner.delete(`/v1/schedules/${id}`).expect(204);
  });
});
