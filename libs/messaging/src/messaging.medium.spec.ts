import type { Envelope, WorkspaceJob } from '@chirality/contracts';
import { startTestRedis, waitFor, type TestRedis } from '@chirality/testing';
import { createMessaging, type Messaging } from './index';

const envelope = (id: number): Envelope => ({
  id,
  kind: 'custom',
  session: 'sess_1',
  turn: null,
  originator: { system: true },
  ts: '2026-01-01T00:00:00.000Z',
  payload: { namespace: 'test', name: 'n', data: null },
});
const listJob: WorkspaceJob = { act: 'list-files', sessionId: 'sess_1', path: '' };
const UNREACHED = 'The worker that holds this workspace cannot be reached. Try again in a moment.';
const sessionOf = (job: WorkspaceJob) => ('sessionId' in job ? job.sessionId : '');

describe('messaging over Redis', () => {
  let redis: TestRedis;
  let open: { close(): Promise<void> }[];

  const connect = async (): Promise<Messaging> => {
    const messaging = createMessaging({ redisUrl: redis.url });
    open.unshift(messaging);
    expect(await messaging.whenConnected()).toBe(true);
    return messaging;
  };
  const serving = <T extends { close(): Promise<void> }>(served: T): T => {
    open.unshift(served);
    return served;
  };

  const publishes = async (): Promise<number> => {
    const stats = await redis.command('INFO', 'commandstats');
    return Number(/cmdstat_publish:calls=(\d+)/.exec(stats)?.[1] ?? 0);
  };

  beforeAll(async () => {
    redis = await startTestRedis();
  }, 30_000);
  afterAll(() => redis.stop());
  beforeEach(() => (open = []));
  afterEach(async () => {
    for (const each of open) await each.close();
  });

  test('a wake-up reaches a worker once, leaves nothing behind, and may be sent again', async () => {
    const api = await connect();
    const worker = await connect();
    const heard: string[] = [];
    serving(worker.serveTurnWakes(async (turnId) => void heard.push(turnId)));
    expect(await api.turns.wake('turn_1')).toBe(true);
    await waitFor(() => heard.length === 1, { what: 'the first wake-up' });
    await waitFor(async () => Object.values(await api.turns.counts()).every((count) => count === 0), {
      what: 'no job is left',
    });
    await api.turns.wake('turn_1');
    await waitFor(() => heard.length === 2, { what: 'the second wake-up' });
    expect(heard).toEqual(['turn_1', 'turn_1']);
    expect(await redis.command('KEYS', 'chirality:turns:turn_1*')).toBe('*0\r\n');
  });

  test('a wake-up that waits is not added twice, and one that fails is gone', async () => {
    const api = await connect();
    await Promise.all(Array.from({ length: 20 }, () => api.turns.wake('turn_2')));
    expect(await api.turns.counts()).toMatchObject({ wait: 1 });
    const errors: Error[] = [];
    const worker = createMessaging({ redisUrl: redis.url, onError: (error) => errors.push(error) });
    open.unshift(worker);
    serving(worker.serveTurnWakes(() => Promise.reject(new Error('no slot'))));
    await waitFor(() => errors.some((error) => error.message === 'no slot'), { what: 'the error is reported' });
    await waitFor(async () => Object.values(await api.turns.counts()).every((count) => count === 0), {
      what: 'no job is left',
    });
  });

  test('a wake-up meant for one worker makes no job, and one meant for a worker that is gone does', async () => {
    const api = await connect();
    const worker = await connect();
    const heard: [string, boolean][] = [];
    const hear = async (turnId: string, isShared: boolean) => void heard.push([turnId, isShared]);
    serving(worker.serveTurnWakes(hear, { workerId: 'worker_1' }));
    await waitFor(async () => (await redis.command('PUBSUB', 'NUMSUB', 'worker:worker_1:wake')).includes(':1'), {
      what: 'subscribed',
    });
    await api.turns.wake('turn_3', 'worker_1');
    await waitFor(() => heard.length === 1, { what: 'the direct wake-up' });
    expect(await api.turns.counts()).toMatchObject({ wait: 0, active: 0 });
    expect(heard).toEqual([['turn_3', false]]);
    await api.turns.wake('turn_3', 'worker_gone');
    // Once by the channel of all workers, once as the job.
    await waitFor(() => heard.length === 3, { what: 'the shared wake-up and the job' });
    expect(heard.slice(1)).toEqual([
      ['turn_3', true],
      ['turn_3', true],
    ]);
  });

  test('a wake-up in the hands of a worker that died is not given to another, and the turn may be named again', async () => {
    const api = await connect();
    let release: () => void = () => undefined;
    const dead = createMessaging({ redisUrl: redis.url, silentConsumerMs: 300 });
    const begun: string[] = [];
    const held = dead.serveTurnWakes((turnId) => (begun.push(turnId), new Promise((resolve) => (release = resolve))));
    await api.turns.wake('turn_5');
    await waitFor(() => begun.length === 1, { what: 'the wake-up is in hand' });
    // Its connections are gone, so it no longer renews anything.
    await dead.close();
    const alive = createMessaging({ redisUrl: redis.url, silentConsumerMs: 300 });
    open.unshift(alive);
    const heard: string[] = [];
    serving(alive.serveTurnWakes(async (turnId) => void heard.push(turnId)));
    await waitFor(async () => Object.values(await api.turns.counts()).every((count) => count === 0), {
      what: 'the job is removed',
    });
    expect(heard).toEqual([]);
    expect(await api.turns.wake('turn_5')).toBe(true);
    await waitFor(() => heard.length === 1, { what: 'the turn is named again' });
    release();
    await held.close().catch(() => undefined);
  }, 20_000);

  test('events and signals reach every subscriber until it leaves', async () => {
    const sender = await connect();
    const receiver = await connect();
    const seen: number[][] = [];
    const first = receiver.events.subscribe('sess_1', (events) => seen.push(events.map(({ id }) => id)));
    const second = receiver.events.subscribe('sess_1', (events) => seen.push(events.map(({ id }) => -id)));
    expect(await first.ready).toBe(true);
    expect(await second.ready).toBe(true);
    sender.events.publish('sess_1', [envelope(1), envelope(2)]);
    await waitFor(() => seen.length === 2, { what: 'both subscribers' });
    first();
    sender.events.publish('sess_1', [envelope(3)]);
    await waitFor(() => seen.length === 3, { what: 'the one that stayed' });
    second();
    await waitFor(async () => (await redis.command('PUBSUB', 'NUMSUB', 'session:sess_1')).includes(':0'), {
      what: 'unsubscribed',
    });
    expect(seen).toEqual([[1, 2], [-1, -2], [-3]]);

    const signals: unknown[] = [];
    await receiver.signals.subscribe('worker_1', (signal) => signals.push(signal)).ready;
    const signal = { sessionId: 'sess_1', turnId: 'turn_1', reason: 'interrupt' as const };
    sender.signals.publish('worker_1', signal);
    await waitFor(() => signals.length === 1, { what: 'the signal' });
    expect(signals).toEqual([signal]);
  });

  test('while Redis is away nothing waits or throws; when it is back everything works again and is reported', async () => {
    const sender = await connect();
    const receiver = await connect();
    const heard: string[] = [];
    serving(receiver.serveTurnWakes(async (turnId) => void heard.push(turnId)));
    const seen: number[] = [];
    await receiver.events.subscribe('sess_1', (events) => seen.push(...events.map(({ id }) => id))).ready;
    let reconnected = 0;
    receiver.events.onReconnected(() => reconnected++);

    await redis.goDown();
    await waitFor(() => !sender.events.isConnected && !receiver.events.isConnected, { what: 'the loss is noticed' });
    sender.events.publish('sess_1', [envelope(1)]);
    sender.signals.publish('worker_1', { sessionId: 'sess_1', turnId: 'turn_1', reason: 'interrupt' });
    expect(await sender.turns.wake('turn_4')).toBe(false);
    expect(await receiver.events.subscribe('sess_2', () => undefined).ready).toBe(false);
    expect(await sender.workspaces.request('worker_1', listJob, 50)).toMatchObject({
      act: 'refused',
      code: 'WORKSPACE_UNAVAILABLE',
    });
    expect((await sender.health()).status).toBe('unavailable');

    await redis.comeUp();
    await waitFor(() => reconnected === 1, { what: 'the reconnection is reported', timeoutMs: 15_000 });
    expect(await redis.command('PUBSUB', 'NUMSUB', 'session:sess_2')).toContain(':1');
    await waitFor(async () => sender.turns.wake('turn_4'), { what: 'a wake-up is taken again' });
    await waitFor(() => heard.includes('turn_4'), { what: 'the worker hears it', timeoutMs: 15_000 });
    sender.events.publish('sess_1', [envelope(2)]);
    await waitFor(() => seen.length === 1, { what: 'events flow again' });
    expect(seen).toEqual([2]);
    expect((await sender.health()).status).toBe('ok');
  }, 60_000);

  test('a workspace request is answered, refused, or given up', async () => {
    const api = await connect();
    const worker = await connect();
    const begun: string[] = [];
    const reply = {
      act: 'list-files' as const,
      list: { data: [{ path: 'a.ts', kind: 'file' as const, size: 3 }], nextCursor: null, total: 1, left: 0 },
    };
    const server = serving(
      worker.serveWorkspaceJobs('worker_2', async (job) => {
        begun.push(sessionOf(job));
        if (sessionOf(job) === 'sess_bad') throw new Error('broken');
        if (sessionOf(job) === 'sess_large')
          return {
            ...reply,
            list: {
              ...reply.list,
              data: Array.from({ length: 30_000 }, () => ({ path: 'x'.repeat(50), kind: 'file' as const, size: 1 })),
            },
          };
        return reply;
      }),
    );
    expect(await api.workspaces.request('worker_2', listJob)).toEqual(reply);
    expect(await api.workspaces.request('worker_2', { ...listJob, sessionId: 'sess_bad' })).toMatchObject({
      act: 'refused',
    });
    expect(await api.workspaces.request('worker_2', { ...listJob, sessionId: 'sess_large' })).toMatchObject({
      act: 'refused',
      detail: expect.stringContaining('too large'),
    });
    await server.close();
    expect(await api.workspaces.request('worker_2', { ...listJob, sessionId: 'sess_late' }, 50)).toMatchObject({
      code: 'WORKSPACE_UNAVAILABLE',
    });
    serving(worker.serveWorkspaceJobs('worker_2', async (job) => (begun.push(sessionOf(job)), reply)));
    expect(await api.workspaces.request('worker_2', { ...listJob, sessionId: 'sess_next' })).toEqual(reply);
    expect(begun).toEqual(['sess_1', 'sess_bad', 'sess_large', 'sess_next']);
  });

  test('a workspace request waits for a worker that listens a moment later, and reaches it once', async () => {
    const api = await connect();
    const worker = await connect();
    const begun: string[] = [];
    const before = await publishes();
    const asked = api.workspaces.request('worker_3', listJob);
    await waitFor(async () => (await publishes()) > before, { what: 'the request reached no worker' });
    serving(
      worker.serveWorkspaceJobs('worker_3', async (job) => {
        begun.push(sessionOf(job));
        return { act: 'refused', code: 'NOT_FOUND', detail: 'Nothing is there.' };
      }),
    );
    expect(await asked).toMatchObject({ code: 'NOT_FOUND' });
    expect(begun).toEqual(['sess_1']);
  });

  test('a workspace request is not held up by one that takes long, and the server ends after both', async () => {
    const api = await connect();
    const worker = await connect();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const server = worker.serveWorkspaceJobs('worker_4', async (job) => {
      if (sessionOf(job) === 'sess_long') await held;
      return { act: 'refused', code: 'NOT_FOUND', detail: sessionOf(job) };
    });
    await server.ready;
    const long = api.workspaces.request('worker_4', { ...listJob, sessionId: 'sess_long' });
    expect(await api.workspaces.request('worker_4', listJob)).toMatchObject({ detail: 'sess_1' });
    const closed = server.close();
    release();
    await closed;
    expect(await long).toMatchObject({ detail: 'sess_long' });
  });

  test('a workspace request that arrives again is done once', async () => {
    const api = await connect();
    const worker = await connect();
    const begun: string[] = [];
    const server = worker.serveWorkspaceJobs('worker_6', async (job) => {
      begun.push(sessionOf(job));
      return { act: 'refused', code: 'NOT_FOUND', detail: 'Nothing is there.' };
    });
    await server.ready;
    const request = { replyTo: 'replies', requestId: 'one', deadline: Date.now() + 60_000, job: listJob };
    for (let time = 0; time < 3; time += 1)
      await redis.command('PUBLISH', 'worker:worker_6:workspace', JSON.stringify(request));
    expect(await api.workspaces.request('worker_6', { ...listJob, sessionId: 'sess_2' })).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(begun).toEqual(['sess_1', 'sess_2']);
    await server.close();
  });

  test('a workspace request that meets a worker that stops is refused at once, not after its time', async () => {
    const api = await connect();
    const worker = await connect();
    for (let round = 0; round < 20; round += 1) {
      const id = `worker_stops_${round}`;
      const server = worker.serveWorkspaceJobs(id, async () => ({
        act: 'refused',
        code: 'NOT_FOUND',
        detail: 'Done.',
      }));
      await server.ready;
      const asked = Array.from({ length: 5 }, () => api.workspaces.request(id, listJob, 30_000));
      if (round % 2 > 0) await new Promise((resolve) => setImmediate(resolve));
      const [replies] = await Promise.all([Promise.all(asked), server.close()]);
      for (const reply of replies)
        expect(['Done.', 'The worker is stopping. Try again in a moment.', UNREACHED]).toContain(
          'detail' in reply && reply.detail,
        );
    }
  });

  test('a workspace request that a worker cannot finish before it stops is refused then', async () => {
    const api = await connect();
    const worker = await connect();
    const server = worker.serveWorkspaceJobs('worker_5', () => new Promise(() => undefined));
    await server.ready;
    const asked = api.workspaces.request('worker_5', listJob, 60_000);
    await waitFor(async () => (await publishes()) > 0, { what: 'the request is sent' });
    await server.close();
    expect(await asked).toMatchObject({
      code: 'WORKSPACE_UNAVAILABLE',
      detail: expect.stringMatching(/stopped before this was done|is stopping/) as string,
    });
  });

  test('a Redis that evicts keys is reported', async () => {
    const messaging = await connect();
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await messaging.health()).toEqual({ status: 'degraded', detail: expect.stringContaining('noeviction') });
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    expect(await messaging.health()).toEqual({ status: 'ok' });
  });

  test('a Redis that is full is reported, and no caller waits for a wake-up that it does not take', async () => {
    const messaging = await connect();
    await redis.command('CONFIG', 'SET', 'maxmemory', '100kb');
    expect(await messaging.health()).toEqual({ status: 'degraded', detail: expect.stringContaining('full') });
    expect(await messaging.turns.wake('turn_1')).toBe(false);
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    expect(await messaging.health()).toEqual({ status: 'ok' });
    expect(await messaging.turns.wake('turn_1')).toBe(true);
  });
});
