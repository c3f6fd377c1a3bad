import type { Readiness } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import type { Services } from '../src/server/services';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';
import { EventStreamReader } from './event-stream-reader';

jest.setTimeout(90_000);

describe('while something is away', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
  });
  afterAll(() => api.stop());

  const ready = async () => {
    const response = await api.client.get('/health/ready');
    return { status: response.status, body: response.body as Readiness };
  };

  it('says what is broken, and that this process lives', async () => {
    // How full this machine's disk is, is not this test's to say.
    const { disk, ...checks } = (await ready()).body.checks;
    expect(disk).toBeDefined();
    expect(checks).toEqual({
      database: { status: 'ok' },
      redis: { status: 'ok' },
      workers: { status: 'ok' },
      server: { status: 'ok' },
    });
    expect((await ready()).status).toBe(200);
    await api.worker.workers.markStopped(api.worker.id);
    await waitFor(async () => (await ready()).body.checks['workers']?.detail === 'no worker is running', {
      what: 'the missing worker is seen',
      everyMs: 100,
    });
    await api.worker.register();
    await api.redis.goDown();
    await waitFor(async () => (await ready()).body.checks['redis']?.status === 'unavailable', {
      what: 'Redis is seen to be away',
      everyMs: 100,
    });
    expect(await ready()).toMatchObject({
      status: 200,
      body: { status: 'degraded', checks: { database: { status: 'ok' } } },
    });
    await api.redis.comeUp();
    await waitFor(async () => (await ready()).body.checks['redis']?.status === 'ok', {
      what: 'Redis is well again',
      everyMs: 100,
    });
    await api.client.get('/health/live').expect(200);
  });

  it('answers 503 on every kind of route while Postgres hangs, long before a statement may end, and is well at once afterwards', async () => {
    const session = await owner.createSession((await owner.createProject()).id);
    const goOn = api.postgres.hang();
    try {
      const answers = await Promise.all(
        (
          [
            ['get', '/v1/me'],
            ['get', `/v1/sessions/${session.id}`],
            ['post', `/v1/sessions/${session.id}/turns`],
            ['post', '/v1/auth/login'],
            ['get', '/v1/usage'],
          ] as const
        ).map(async ([method, path]) => {
          const body = path === '/v1/auth/login' ? { email: 'a@b.c', password: 'x' } : { message: 'x' };
          const { status, body: problem } = await owner.send(method, path, method === 'post' ? body : undefined);
          return [status, (problem as { code?: string }).code];
        }),
      );
      expect(answers).toEqual(Array<unknown>(5).fill([503, 'DATABASE_UNAVAILABLE']));
      // What the routes asked was not given up yet: a statement has twenty seconds.
      const { pool } = (api.services[0] as Services).database;
      expect(pool.totalCount - pool.idleCount + pool.waitingCount).toBeGreaterThan(0);
      expect(await ready()).toMatchObject({ status: 503, body: { checks: { database: { status: 'unavailable' } } } });
    } finally {
      goOn();
    }
    await waitFor(async () => (await owner.send('get', '/v1/me')).status === 200, {
      what: 'the api serves again',
      everyMs: 50,
    });
  });

  it('keeps watchers and answers 503 without Postgres, and recovers when it is back', async () => {
    const session = await owner.createSession((await owner.createProject()).id);
    await owner.sendTurn(session.id);
    const turn = await api.worker.claimOf(session.id);
    await api.worker.become(turn, 'spawned');
    const live = await owner.live();
    await live.attach(session.id);
    const stream = new EventStreamReader(`${api.url}/v1/sessions/${session.id}/events`, owner.token);
    await stream.until(1);
    await api.postgres.goDown();
    for (const [method, path] of [
      ['get', '/v1/me'],
      ['get', `/v1/sessions/${session.id}`],
      ['post', `/v1/sessions/${session.id}/turns`],
      ['post', '/v1/auth/refresh'],
      ['get', `/v1/sessions/${session.id}/events`],
      ['post', '/v1/auth/login'],
    ] as const) {
      const body = path === '/v1/auth/login' ? { email: 'a@b.c', password: 'x' } : { message: 'x' };
      const response = await owner
        .send(method, path, method === 'post' ? body : undefined)
        .set('cookie', owner.cookie ?? '');
      expect([path, response.status, (response.body as { code: string }).code]).toEqual([
        path,
        503,
        'DATABASE_UNAVAILABLE',
      ]);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(await live.attach(session.id)).toMatchObject({ code: 'DATABASE_UNAVAILABLE', status: 503 });
    await expect(owner.live()).rejects.toMatchObject({ data: { code: 'DATABASE_UNAVAILABLE' } });
    await waitFor(async () => (await ready()).status === 503, {
      what: 'the api says that it is not ready',
      everyMs: 50,
    });
    await api.client.get('/health/live').expect(200);
    const writing = api.worker.stream(turn, 50);
    await api.postgres.comeUp();
    await writing;
    await waitFor(async () => (await ready()).status === 200, {
      what: 'the api is ready again',
      timeoutMs: 10_000,
      everyMs: 100,
    });
    await stream.until(51);
    expect(stream.events.map(({ id }) => Number(id))).toEqual(Array.from({ length: 51 }, (_, n) => n + 1));
    expect(live.disconnected).toBeNull();
    await live.attach(session.id, live.seen(session.id).at(-1)?.id ?? 0);
    expect((await live.until(session.id, 51)).map(({ id }) => id)).toEqual(Array.from({ length: 51 }, (_, n) => n + 1));
    await owner.get('/v1/me').expect(200);
    expect(api.logLines.filter((line) => line.includes('request.failed'))).toEqual([]);
    live.close();
    stream.close();
  });

  it('answers 503 and not 500 where a table is locked for long', async () => {
    const session = await owner.createSession((await owner.createProject()).id);
    const client = await api.worker.database.pool.connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE session IN ACCESS EXCLUSIVE MODE');
    const responses = await Promise.all(Array.from({ length: 30 }, () => owner.get(`/v1/sessions/${session.id}`)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
    await client.query('ROLLBACK');
    client.release();
    await owner.get(`/v1/sessions/${session.id}`).expect(200);
  });
});
