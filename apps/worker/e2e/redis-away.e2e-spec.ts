import type { Readiness } from '@chirality/contracts';
import { fakeClaude, waitFor } from '@chirality/testing';
import { AttendedSession } from './support/attended-session';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { untilGone } from './support/process-scan';
import { Stopwatch } from './support/stopwatch';
import { talk, talkAndGoDeaf, textOf } from './support/talk';

jest.setTimeout(120_000);

describe('while Redis', () => {
  let product: FaultStack;
  const watch = new Stopwatch();

  beforeAll(async () => {
    product = await startFaultStack({ fake: true, env: { CHIRALITY_PARKED_MS: '0' } });
  });
  afterEach(() => AttendedSession.closeAll());
  afterAll(async () => {
    watch.report('while Redis is away');
    await product?.stop();
  });

  const open = () => AttendedSession.open(product.person, product.projectId);
  const redis = (...words: string[]) => product.stack.redis.command(...words);
  const ready = async () => (await product.person.call<Readiness>('GET', '/health/ready')).body;

  /** The queue moves again, and quickly: a turn needs no poll to start. */
  async function expectQueueMoves(since: number): Promise<void> {
    const session = await open();
    expect(await session.run(talk(1).toMessage())).toMatchObject({ status: 'completed' });
    watch.note('queue moving after Redis is back', performance.now() - since, 30_000);
    await session.expectLawful();
  }

  it('is restarted and emptied in mid turn, the turn and its viewers lose nothing', async () => {
    const session = await open();
    const turn = await session.send(talk(300, 10).toMessage());
    await session.saw('chat:delta', turn);
    await product.stack.redis.goDown();
    await product.stack.redis.comeUp();
    const since = performance.now();
    expect(await session.end(turn)).toMatchObject({ status: 'completed', text: 'word '.repeat(300) });
    await session.saw('turn:end', turn);
    expect(textOf(session.payloads(turn, 'chat:delta'))).toBe('word '.repeat(300));
    await session.expectGoesOn();
    await expectQueueMoves(since);
  });

  it('is away, turns are taken, interrupted, asked about and answered as ever', async () => {
    const [streaming, deaf, asking, fresh] = [await open(), await open(), await open(), await open()];
    const streamed = await streaming.send(talk(1_000, 10).toMessage());
    const unheard = await deaf.send(talkAndGoDeaf().toMessage());
    await streaming.saw('chat:delta', streamed);
    await deaf.saw('chat:delta', unheard);
    await product.stack.redis.goDown();
    await waitFor(async () => (await ready()).checks['redis']?.status === 'unavailable', {
      what: 'the api says that Redis is away',
      everyMs: 100,
    });
    expect((await ready()).status).toBe('degraded');

    const from = performance.now();
    const answer = await product.person.interrupt(deaf.id);
    expect(answer.status).toBe(202);
    watch.note('interrupt acknowledged', performance.now() - from, 1_000);
    const interrupted = Promise.all([
      untilGone(deaf.id).then(() => watch.note('tree gone', performance.now() - from, 12_000)),
      deaf.end(unheard).then((ended) => {
        watch.note('interrupted turn final', performance.now() - from, 15_000);
        expect(ended).toMatchObject({ status: 'interrupted' });
      }),
    ]);

    const posted = performance.now();
    const taken = await fresh.send(talk(3).toMessage());
    expect(await fresh.end(taken)).toMatchObject({ status: 'completed' });
    watch.note('turn posted meanwhile final', performance.now() - posted, 15_000);

    const asked = await asking.send(
      fakeClaude()
        .init()
        .step({ do: 'useTool', id: 'toolu_1', name: 'Bash', input: { command: 'make' } })
        .text('m1', 'Made.')
        .result()
        .toMessage(),
    );
    await asking.saw('permission:request', asked);
    const [permission] = await product.person.permissions(asking.id);
    const answered = performance.now();
    const given = await product.person.call('POST', `/v1/sessions/${asking.id}/permissions/${permission?.id}`, {
      decision: 'allow_once',
    });
    expect(given.status).toBe(200);
    expect(await asking.end(asked)).toMatchObject({ status: 'completed', text: 'Made.' });
    watch.note('answer acted on', performance.now() - answered, 10_000);

    await interrupted;
    expect(await streaming.end(streamed)).toMatchObject({ status: 'completed', text: 'word '.repeat(1_000) });
    for (const session of [streaming, deaf, asking, fresh]) await session.expectLawful();
    await product.stack.redis.comeUp();
    const since = performance.now();
    await waitFor(async () => (await ready()).checks['redis']?.status === 'ok', {
      what: 'Redis is well again',
      everyMs: 100,
    });
    watch.note('api healthy after Redis is back', performance.now() - since, 10_000);
    await expectQueueMoves(since);
    await deaf.expectGoesOn();
  });

  it('hangs with every connection open, turns are taken and interrupted, and viewers see everything', async () => {
    const [streaming, stopping, fresh] = [await open(), await open(), await open()];
    const streamed = await streaming.send(talk(600, 10).toMessage());
    const stopped = await stopping.send(talk(2_000, 10).toMessage());
    await streaming.saw('chat:delta', streamed);
    await stopping.saw('chat:delta', stopped);
    const goOn = await product.stack.redis.hang();
    try {
      const from = performance.now();
      expect((await product.person.interrupt(stopping.id)).status).toBe(202);
      watch.note('interrupt acknowledged', performance.now() - from, 1_000);
      const taken = await fresh.send(talk(3).toMessage());
      watch.note('turn accepted while Redis hangs', performance.now() - from, 2_500);
      expect(await stopping.end(stopped)).toMatchObject({ status: 'interrupted' });
      watch.note('interrupted turn final', performance.now() - from, 15_000);
      expect(await fresh.end(taken)).toMatchObject({ status: 'completed' });
      watch.note('turn posted meanwhile final', performance.now() - from, 15_000);
      expect(await streaming.end(streamed)).toMatchObject({ status: 'completed' });
      for (const session of [streaming, stopping, fresh]) await session.expectLawful();
    } finally {
      goOn();
    }
    await expectQueueMoves(performance.now());
  });

  it('cuts its subscribers off every second, 2,000 deltas arrive without a gap', async () => {
    const session = await open();
    const turn = await session.send(talk(2_000, 3).toMessage());
    let cuts = 0;
    const cutting = setInterval(() => void redis('CLIENT', 'KILL', 'TYPE', 'pubsub').then(() => (cuts += 1)), 1_000);
    const ended = await session.end(turn, 60_000).finally(() => clearInterval(cutting));
    expect(ended).toMatchObject({ status: 'completed', text: 'word '.repeat(2_000) });
    expect(cuts).toBeGreaterThan(3);
    await session.saw('turn:end', turn);
    expect(textOf(session.payloads(turn, 'chat:delta'))).toBe('word '.repeat(2_000));
    await session.expectLawful();
    expect([session.socket.connections, session.stream.connections]).toEqual([1, 1]);
  });

  it('is full, turns are accepted and run, and it is said', async () => {
    const running = await open();
    const turn = await running.send(talk(300, 10).toMessage());
    await running.saw('chat:delta', turn);
    await redis('CONFIG', 'SET', 'maxmemory', '1mb');
    const sessions = await Promise.all(Array.from({ length: 8 }, open));
    const turns = await Promise.all(sessions.map((session) => session.send(talk(2).toMessage())));
    await waitFor(async () => (await ready()).checks['redis']?.status === 'degraded', {
      what: 'the api says that Redis is full',
      everyMs: 100,
    });
    for (const [index, session] of sessions.entries())
      expect(await session.end(turns[index]!, 60_000)).toMatchObject({ status: 'completed' });
    expect(await running.end(turn)).toMatchObject({ status: 'completed' });
    await redis('CONFIG', 'SET', 'maxmemory', '0');
    const since = performance.now();
    for (const session of [running, ...sessions]) await session.expectLawful();
    await expectQueueMoves(since);
  });

  it('would evict keys, the api says so', async () => {
    await redis('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    await waitFor(async () => (await ready()).status === 'degraded', {
      what: 'the api says that it is not well',
      everyMs: 100,
    });
    expect((await ready()).checks['redis']).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('noeviction') as string,
    });
    await redis('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    await waitFor(async () => (await ready()).checks['redis']?.status === 'ok', {
      what: 'Redis is well again',
      everyMs: 100,
    });
  });
});
