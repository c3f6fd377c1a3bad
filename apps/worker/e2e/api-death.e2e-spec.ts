import { randomUUID } from 'node:crypto';
import type { Turn } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import { AttendedSession } from './support/attended-session';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { sendUntilAccepted } from './support/send-until-accepted';
import { SocketViewer } from './support/socket-viewer';
import { Stopwatch } from './support/stopwatch';
import { talk, textOf } from './support/talk';
import { tapRedis } from './support/tapped-servers';

jest.setTimeout(120_000);

describe('an api that dies', () => {
  let product: FaultStack;
  const watch = new Stopwatch();

  beforeAll(async () => {
    product = await startFaultStack({ fake: true, env: { CHIRALITY_PARKED_MS: '0' } });
  });
  afterEach(() => AttendedSession.closeAll());
  afterAll(async () => {
    watch.report('an api that dies');
    await product?.stop();
  });

  const open = () => AttendedSession.open(product.person, product.projectId);
  const restart = () => watch.time('api ready again', 10_000, () => product.stack.restartApi());
  const turnsOf = async (sessionId: string) =>
    (await product.person.call<{ data: Turn[] }>('GET', `/v1/sessions/${sessionId}/turns`)).body.data;

  async function kill(): Promise<void> {
    product.stack.api.kill('SIGKILL');
    await product.stack.api.exited;
  }

  it('by force while a turn streams takes nothing from the turn, and its viewers miss nothing', async () => {
    const session = await open();
    const turn = await session.send(talk(400, 10).toMessage());
    await session.saw('chat:delta', turn);
    for (let times = 0; times < 2; times += 1) {
      await kill();
      await restart();
      await waitFor(() => session.socket.connections > times + 1 && session.stream.connections > times + 1, {
        what: 'both viewers are back',
        timeoutMs: 20_000,
      });
    }
    expect(await session.end(turn)).toMatchObject({ status: 'completed', text: 'word '.repeat(400) });
    await session.saw('turn:end', turn);
    expect(textOf(session.payloads(turn, 'chat:delta'))).toBe('word '.repeat(400));
    await session.expectGoesOn();
  });

  it('between a turn’s commit and its wake-up: the turn starts all the same, once', async () => {
    const redis = await tapRedis(product.stack, 'ta');
    await product.stack.restartApi({ REDIS_URL: redis.url });
    const session = await open();
    const died = redis.tap.when((bytes) => {
      if (!bytes.includes('"turnId"')) return false;
      product.stack.api.kill('SIGKILL');
      return true;
    });
    const key = randomUUID();
    const answer = product.person
      .call('POST', `/v1/sessions/${session.id}/turns`, { message: talk(3).toMessage() }, { 'idempotency-key': key })
      .then(
        ({ status }) => status,
        () => null,
      );
    await died;
    await product.stack.api.exited;
    await restart();
    const turn = await sendUntilAccepted(product.person, session.id, talk(3).toMessage(), key);
    expect(await session.end(turn)).toMatchObject({ status: 'completed', attempt: 1 });
    const queued = await session.saw('turn:queued', turn);
    const started = await session.saw('turn:start', turn);
    watch.note('turn without wake-up started', Date.parse(started.ts) - Date.parse(queued.ts), 30_000);
    expect([202, null]).toContain(await answer);
    expect(await turnsOf(session.id)).toHaveLength(1);
    await session.expectGoesOn();
    await redis.tap.close();
  });

  it('while many send: each message becomes one turn, and each turn ends', async () => {
    const sessions = await Promise.all(
      Array.from({ length: 16 }, () => product.person.createSession(product.projectId)),
    );
    const sending = sessions.map(async ({ id }) => ({
      id,
      turn: await sendUntilAccepted(product.person, id, talk(2).toMessage(), randomUUID(), 60_000),
    }));
    await Promise.race(sending);
    await kill();
    await restart();
    for (const { id, turn } of await Promise.all(sending)) {
      expect(await product.person.waitForEnd(id, turn.id, 60_000)).toMatchObject({ status: 'completed', attempt: 1 });
      expect(await turnsOf(id)).toHaveLength(1);
    }
  });

  it('by SIGTERM with 200 sockets open ends in time, and every client resumes with the same events', async () => {
    const session = await open();
    const crowd = Array.from({ length: 200 }, () => new SocketViewer(product.person, session.id));
    try {
      await waitFor(() => crowd.every(({ isConnected }) => isConnected), {
        what: '200 viewers are connected',
        timeoutMs: 30_000,
      });
      const turn = await session.send(talk(300, 20).toMessage());
      await session.saw('chat:delta', turn);
      const other = await product.person.createSession(product.projectId);
      const waiting = product.person.call<{ turn: Turn }>('POST', `/v1/sessions/${other.id}/turns?wait=turn`, {
        message: talk(300, 20).toMessage(),
      });
      // A connection that is closed under a request which has not arrived yet says nothing of how the api ends.
      await waitFor(async () => (await turnsOf(other.id)).length === 1, {
        what: 'the turn that is waited for is accepted',
      });
      const exit = await watch.time('api with 200 sockets stopped', 10_000, () => {
        product.stack.api.kill('SIGTERM');
        return product.stack.api.exited;
      });
      expect(exit).toEqual({ code: 0, signal: null });
      expect(await waiting).toMatchObject({
        status: 202,
        body: { turn: { status: expect.stringMatching(/queued|starting|running/) as string } },
      });
      await restart();
      expect(await session.end(turn)).toMatchObject({ status: 'completed' });
      await session.expectGoesOn();
      const all = session.socket.seen.bytes.join('\n');
      await waitFor(() => crowd.every(({ seen }) => seen.last >= session.socket.seen.last), {
        what: 'every client has everything',
        timeoutMs: 40_000,
      });
      for (const { seen } of crowd) expect(seen.bytes.slice(0, session.socket.seen.last).join('\n')).toBe(all);
      expect(crowd.flatMap(({ seen }) => seen.changed)).toEqual([]);
    } finally {
      for (const viewer of crowd) viewer.close();
    }
  });
});
