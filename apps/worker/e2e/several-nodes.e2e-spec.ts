import type { PresencePerson, Turn } from '@chirality/contracts';
import { OWNER, startRoundRobin, TestClient, waitFor, type ManagedProcess, type RoundRobin } from '@chirality/testing';
import { Client } from 'pg';
import { io, type Socket } from 'socket.io-client';
import { AttendedSession } from './support/attended-session';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { readLog } from './support/read-log';
import { sendUntilAccepted } from './support/send-until-accepted';
import { expectSoundLog } from './support/session-laws';
import { SocketViewer } from './support/socket-viewer';
import { Stopwatch } from './support/stopwatch';
import { talk, textOf } from './support/talk';

jest.setTimeout(180_000);

describe('two apis and two workers behind a balancer that is not sticky', () => {
  let product: FaultStack;
  let second: { url: string; process: ManagedProcess };
  let balancer: RoundRobin;
  let database: Client;
  /** The same person at the balancer, at the first api and at the second. */
  let person: TestClient;
  let atFirst: TestClient;
  let atSecond: TestClient;
  const watch = new Stopwatch();
  const closing: (() => void)[] = [];

  beforeAll(async () => {
    product = await startFaultStack({
      fake: true,
      workers: 0,
      env: { CHIRALITY_WORKER_SLOTS: '3', CHIRALITY_PARKED_MS: '0' },
    });
    const { stack } = product;
    [second] = await Promise.all([stack.startAnotherApi(), stack.startWorker(), stack.startWorker()]);
    balancer = await startRoundRobin([stack.url, second.url]);
    database = new Client({ connectionString: stack.postgres.url });
    await database.connect();
    const login = (url: string) => TestClient.login(url, OWNER.email, OWNER.password);
    [person, atFirst, atSecond] = await Promise.all([login(balancer.url), login(stack.url), login(second.url)]);
  });
  afterAll(async () => {
    AttendedSession.closeAll();
    for (const close of closing) close();
    watch.report('several nodes');
    await database?.end();
    await balancer?.close();
    await product?.stop();
  });

  const open = () => AttendedSession.open(person, product.projectId);
  const workersOf = (session: AttendedSession, turn: Turn) =>
    session.payloads(turn, 'turn:start').map(({ worker }) => worker);

  it('turns run on both workers, and the sockets of both apis see the same events', async () => {
    const sessions = await Promise.all(Array.from({ length: 4 }, open));
    const viewers = sessions.map((session) => [atFirst, atSecond].map((one) => new SocketViewer(one, session.id)));
    closing.push(...viewers.flat().map((viewer) => () => viewer.close()));
    const turns = await Promise.all(sessions.map((session) => session.send(talk(150, 10).toMessage())));
    const ended = await Promise.all(sessions.map((session, at) => session.end(turns[at] as Turn)));
    expect(ended).toEqual(
      sessions.map(() => expect.objectContaining({ status: 'completed', attempt: 1, text: 'word '.repeat(150) })),
    );
    for (const [at, session] of sessions.entries()) {
      await session.expectLawful();
      const logs = await Promise.all([readLog(atFirst, session.id), readLog(atSecond, session.id)]);
      expect(logs[0]).toEqual(logs[1]);
      for (const viewer of viewers[at] ?? []) {
        await waitFor(() => viewer.seen.last >= (logs[0]?.length ?? 0), {
          what: 'a socket of each api has the whole log',
        });
        expect(viewer.seen.bytes).toEqual(logs[0]);
        expect(viewer.seen.changed).toEqual([]);
      }
    }
    expect(new Set(sessions.flatMap((session, at) => workersOf(session, turns[at] as Turn))).size).toBe(2);
    expect(balancer.given.every((count) => count > 0)).toBe(true);
    for (const session of sessions) session.close();
    for (const close of closing.splice(0)) close();
  });

  it('who types at one api is seen typing at the other', async () => {
    const { id } = await person.createSession(product.projectId);
    const [typist, reader] = await Promise.all([attach(atFirst, id), attach(atSecond, id)]);
    const seen: PresencePerson[][] = [];
    reader.on('presence', ({ session, people }: { session: string; people: PresencePerson[] }) => {
      if (session === id) seen.push(people);
    });
    const isTyping = () => seen.at(-1)?.some(({ typing }) => typing) === true;
    for (const typing of [true, false]) {
      const from = performance.now();
      await typist.emitWithAck('session:typing', { session: id, typing });
      await waitFor(() => isTyping() === typing, { what: `the other api says typing ${typing}`, everyMs: 5 });
      watch.note('typing crosses to the other api', performance.now() - from, 1_000);
    }
    typist.disconnect();
    reader.disconnect();
  });

  it('the same key at both apis is one turn', async () => {
    const session = await open();
    const send = (one: TestClient) => sendUntilAccepted(one, session.id, talk(5).toMessage(), 'one-key');
    const turns = await Promise.all([atFirst, atSecond, atFirst, atSecond].map(send));
    expect(new Set(turns.map(({ id }) => id)).size).toBe(1);
    expect(await session.end(turns[0] as Turn)).toMatchObject({ status: 'completed', text: 'word '.repeat(5) });
    await session.expectLawful();
    session.close();
  });

  it('killing one api and one worker loses and doubles nothing', async () => {
    const sessions = await Promise.all(Array.from({ length: 4 }, open));
    const turns = await Promise.all(sessions.map((session) => session.send(talk(400, 10).toMessage())));
    await Promise.all(sessions.map((session, at) => session.saw('chat:delta', turns[at] as Turn)));
    const [victim] = product.stack.workers;
    // An api on its machine would see that the process is gone.
    const { rowCount } = await database.query(`UPDATE worker SET machine = 'elsewhere' WHERE pid = $1`, [victim?.pid]);
    expect(rowCount).toBe(1);
    second.process.kill('SIGKILL');
    victim?.kill('SIGKILL');
    await Promise.all([second.process.exited, victim?.exited]);
    // Sent while half of what is needed is gone, and again as a browser would: each is one turn.
    const idle = await open();
    const sent = await sendUntilAccepted(person, idle.id, talk(5).toMessage(), 'after-the-kill');
    const ended = await Promise.all(sessions.map((session, at) => session.end(turns[at] as Turn)));
    const lost = ended.filter(({ status }) => status === 'lost');
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.length).toBeLessThan(ended.length);
    // Its lock was free, so the end of its lease was not awaited.
    const { rows } = await database.query(
      'SELECT stopped_at < lease_expires_at AS "wasGivenUp" FROM worker WHERE pid = $1',
      [victim?.pid],
    );
    expect(rows).toEqual([{ wasGivenUp: true }]);
    for (const [at, session] of sessions.entries()) {
      const turn = ended[at] as Turn;
      await session.saw('turn:end', turn);
      const text = textOf(session.payloads(turn, 'chat:delta'));
      if (turn.status === 'lost') expect('word '.repeat(400).startsWith(text)).toBe(true);
      else expect({ status: turn.status, text }).toEqual({ status: 'completed', text: 'word '.repeat(400) });
    }
    expect(await idle.end(sent)).toMatchObject({ status: 'completed' });
    for (const session of [...sessions, idle]) {
      await session.expectGoesOn();
      expect(session.socket.seen.all.filter(({ kind }) => kind === 'turn:queued')).toHaveLength(2);
      expectSoundLog(session.socket.seen.all);
    }
    const alive = product.stack.workers[1];
    expect(alive?.hasEnded).toBe(false);
  });

  /** A socket of the person that watches the session at one api. */
  async function attach(one: TestClient, session: string): Promise<Socket> {
    const socket = io(one.baseUrl, {
      transports: ['websocket'],
      forceNew: true,
      auth: { token: one.token, clientId: `at-${one.baseUrl}` },
    });
    closing.push(() => socket.disconnect());
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
    expect(await socket.emitWithAck('session:attach', { session, after: 0 })).toMatchObject({ lastEventId: 0 });
    return socket;
  }
});
