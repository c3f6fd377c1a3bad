import { fakeClaude, waitFor, type SupervisedProcess } from '@chirality/testing';
import { Client } from 'pg';
import { AttendedSession } from './support/attended-session';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { untilGone } from './support/process-scan';
import { sendUntilAccepted } from './support/send-until-accepted';
import { Stopwatch } from './support/stopwatch';
import { talk, talkAndGoDeaf, textOf } from './support/talk';

jest.setTimeout(180_000);

describe('while Postgres', () => {
  let product: FaultStack;
  let worker: SupervisedProcess;
  const watch = new Stopwatch();

  beforeAll(async () => {
    product = await startFaultStack({ fake: true, workers: 0, env: { CHIRALITY_PARKED_MS: '0' } });
    worker = await product.stack.superviseWorker('kept');
  });
  afterEach(() => AttendedSession.closeAll());
  afterAll(async () => {
    watch.report('while Postgres is away');
    await product?.stop();
  });

  const open = (more?: Record<string, unknown>) => AttendedSession.open(product.person, product.projectId, more);
  const isReady = async () => (await product.person.call('GET', '/health/ready').catch(() => null))?.status === 200;

  async function goAway(ms: number): Promise<void> {
    await product.stack.postgres.goDown('immediate');
    const until = performance.now() + ms;
    await waitFor(async () => !(await isReady()), {
      what: 'the api says that it is not ready',
      timeoutMs: 10_000,
      everyMs: 50,
    });
    await waitFor(() => performance.now() > until, { what: 'the outage is over', timeoutMs: ms + 1_000, everyMs: 100 });
  }

  /** Law L9: the api is ready within ten seconds, and a turn that was posted at once has moved within thirty. */
  async function comeBack(): Promise<void> {
    await product.stack.postgres.comeUp();
    const since = performance.now();
    await waitFor(isReady, { what: 'the api is ready', timeoutMs: 20_000, everyMs: 50 });
    watch.note('api ready', performance.now() - since, 10_000);
    const { id } = await product.person.createSession(product.projectId);
    const turn = await sendUntilAccepted(product.person, id, talk(1).toMessage(), id, 60_000);
    expect(await product.person.waitForEnd(id, turn.id, 60_000)).toMatchObject({ status: 'completed' });
    watch.note('queue moving', performance.now() - since, 30_000);
  }

  it('is away for ten seconds, running turns continue, and every event arrives in order', async () => {
    const [talking, ending, working] = [
      await open(),
      await open(),
      await open({ options: { autoApproveTools: ['Bash'] } }),
    ];
    const talked = await talking.send(talk(1_500, 10).toMessage());
    const ended = await ending.send(talk(300, 10).toMessage());
    const worked = await working.send(
      fakeClaude()
        .init()
        .messageStart('m1')
        .textDelta('m1', 'word ')
        .sleep(4_000)
        .useTool({ id: 'toolu_1', name: 'Bash', input: { command: 'make' }, content: 'made' })
        .text('m2', 'Made.')
        .result()
        .toMessage(),
    );
    await talking.saw('chat:delta', talked);
    await ending.saw('chat:delta', ended);
    await working.saw('chat:delta', worked);
    await goAway(10_000);
    expect(await product.person.interrupt(talking.id)).toMatchObject({
      status: 503,
      body: { code: 'DATABASE_UNAVAILABLE' },
    });
    await comeBack();
    expect(await talking.end(talked)).toMatchObject({ status: 'completed', text: 'word '.repeat(1_500), attempt: 1 });
    expect(await ending.end(ended)).toMatchObject({ status: 'completed', text: 'word '.repeat(300), attempt: 1 });
    expect(await working.end(worked)).toMatchObject({
      status: 'completed',
      text: 'Made.',
      attempt: 1,
      permissionDenials: [],
    });
    await talking.saw('turn:end', talked);
    expect(textOf(talking.payloads(talked, 'chat:delta'))).toBe('word '.repeat(1_500));
    await working.saw('turn:end', worked);
    expect(working.payloads(worked, 'tool:result')).toMatchObject([{ toolUseId: 'toolu_1', isError: false }]);
    for (const session of [talking, ending, working]) await session.expectGoesOn();
    expect(worker.exits).toEqual([]);
  });

  it('hangs for twelve seconds with every connection open, running turns continue, and nothing is written twice', async () => {
    const session = await open();
    const turn = await session.send(talk(1_200, 10).toMessage());
    await session.saw('chat:delta', turn);
    const goOn = product.stack.postgres.hang();
    const from = performance.now();
    const reading = Promise.all(
      ['', '/turns', '/events?after=0'].map((path) => product.person.call('GET', `/v1/sessions/${session.id}${path}`)),
    );
    try {
      expect(await isReady()).toBe(false);
      await waitFor(() => performance.now() - from > 12_000, {
        what: 'it hung for twelve seconds',
        timeoutMs: 13_000,
        everyMs: 100,
      });
    } finally {
      goOn();
    }
    const since = performance.now();
    await waitFor(isReady, { what: 'the api is ready', timeoutMs: 20_000, everyMs: 50 });
    watch.note('api ready after a hang', performance.now() - since, 10_000);
    for (const { status } of await reading) expect([200, 503]).toContain(status);
    expect(await session.end(turn)).toMatchObject({
      status: 'completed',
      error: null,
      attempt: 1,
      text: 'word '.repeat(1_200),
    });
    await session.saw('turn:end', turn);
    expect(textOf(session.payloads(turn, 'chat:delta'))).toBe('word '.repeat(1_200));
    await session.expectGoesOn();
    expect(worker.exits).toEqual([]);
  });

  it('is away for a minute, running turns end honestly, and everything recovers', async () => {
    const session = await open();
    const turn = await session.send(talkAndGoDeaf().toMessage());
    await session.saw('chat:delta', turn);
    const from = performance.now();
    const gone = worker.current.exited.then(({ code }) => ({ code, afterMs: performance.now() - from }));
    await goAway(60_000);
    const { code, afterMs } = await gone;
    expect(code).toBe(75);
    watch.note('worker without its lease gone', afterMs, 30_000);
    await untilGone(session.id, 1_000);
    await comeBack();
    expect(await session.end(turn)).toMatchObject({ status: 'lost', error: { code: 'WORKER_LOST' } });
    await session.saw('turn:end', turn);
    await session.expectGoesOn();
  });

  it('is restarted while nothing runs, and no one notices', async () => {
    const session = await open();
    await session.expectGoesOn();
    const lives = worker.exits.length;
    for (const mode of ['immediate', 'fast'] as const) {
      await product.stack.postgres.goDown(mode);
      await comeBack();
      await session.expectGoesOn();
    }
    expect(worker.exits.length).toBe(lives);
  });

  it('has a table locked while a hundred read, no one gets a 500 and streams continue', async () => {
    const session = await open();
    const turn = await session.send(talk(1_700, 10).toMessage());
    await session.saw('chat:delta', turn);
    const locker = new Client({ connectionString: product.stack.postgres.url });
    await locker.connect();
    await locker.query('BEGIN');
    await locker.query('LOCK TABLE turn IN ACCESS EXCLUSIVE MODE');
    const from = performance.now();
    const before = session.socket.seen.last;
    const paths = ['', '/turns', '/events?after=0', `/turns/${turn.id}`].map(
      (path) => `/v1/sessions/${session.id}${path}`,
    );
    const reads = await Promise.all(
      Array.from({ length: 100 }, (_, index) => product.person.call('GET', paths[index % paths.length] ?? '')),
    );
    expect(new Set(reads.map(({ status }) => status)).has(503)).toBe(true);
    for (const { status, headers } of reads) {
      expect([200, 503]).toContain(status);
      if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await waitFor(() => performance.now() - from > 15_000, {
      what: 'the lock was held for fifteen seconds',
      timeoutMs: 16_000,
      everyMs: 100,
    });
    const during = session.socket.seen.last - before;
    await locker.query('ROLLBACK');
    await locker.end();
    expect(during).toBeGreaterThan(100);
    expect(await session.end(turn)).toMatchObject({ status: 'completed', text: 'word '.repeat(1_700) });
    const again = await Promise.all(paths.map((path) => product.person.call('GET', path)));
    expect(again.map(({ status }) => status)).toEqual(paths.map(() => 200));
    await session.expectGoesOn();
  });
});
