import type { Turn } from '@chirality/contracts';
import { waitFor, type ManagedProcess } from '@chirality/testing';
import { AttendedSession } from './support/attended-session';
import { limits, startFaultStack, type FaultStack } from './support/fault-stack';
import { marked, running, turnProcesses, untilGone } from './support/process-scan';
import { slowBubblewrap } from './support/slow-bubblewrap';
import { Stopwatch } from './support/stopwatch';
import { tapPostgres, tapRedis } from './support/tapped-servers';

jest.setTimeout(180_000);

const LOST = { status: 'lost', error: { code: 'WORKER_LOST' } };

describe('a worker that dies', () => {
  let product: FaultStack;
  const watch = new Stopwatch();
  /** Stopped in the first test, and woken in the last one, when its lease is long over. */
  let sleeper: ManagedProcess | null = null;
  let stopped: { session: AttendedSession; turn: Turn } | null = null;

  beforeAll(async () => {
    product = await startFaultStack({
      workers: 0,
      env: { CHIRALITY_WORKER_SLOTS: '1', ...limits({ drainMs: 10_000 }) },
    });
  });
  afterEach(async () => {
    await Promise.all(product.stack.workers.filter((worker) => worker !== sleeper).map((worker) => worker.stop()));
  });
  afterAll(async () => {
    AttendedSession.closeAll();
    watch.report('a worker that dies');
    await product?.stop();
  });

  const startWorker = (env?: Record<string, string>) => product.stack.startWorker(env);
  const open = () =>
    AttendedSession.open(product.person, product.projectId, { options: { autoApproveTools: ['Bash'] } });
  const diskOf = (name: string) => ({
    CHIRALITY_DATA_DIR: product.stack.diskOf(name),
    CHIRALITY_RUN_DIR: product.stack.diskOf(`r${name}`),
  });

  /**
   * A turn in whose middle a shell command runs, found on the host by the number that it sleeps; it counts its runs in
   * a file.
   */
  async function runToTheMiddle(seconds: number): Promise<{ session: AttendedSession; turn: Turn }> {
    const session = await open();
    const turn = await session.send(
      `[[tool Bash {"command":"echo started >> /workspace/count.txt; sleep ${seconds}","timeout":600000}]] [[text Slept.]]`,
    );
    await waitFor(() => running(`sleep ${seconds}`).length > 0, { what: 'the tool runs', timeoutMs: 60_000 });
    return { session, turn };
  }

  async function kill(worker: ManagedProcess): Promise<void> {
    worker.kill('SIGKILL');
    await worker.exited;
  }

  async function expectGoesOn(session: AttendedSession): Promise<void> {
    const next = await session.run('[[text Still here.]]', 60_000);
    expect(next).toMatchObject({ status: 'completed', text: 'Still here.' });
    await session.expectLawful();
  }

  /** How often the tool of `runToTheMiddle` ran, as the session's own file says. */
  async function countRuns(session: AttendedSession): Promise<number> {
    const turn = await session.run('[[tool Bash {"command":"cat /workspace/count.txt"}]] [[text Read.]]');
    expect(turn.status).toBe('completed');
    const [result] = session.payloads(turn, 'tool:result');
    return JSON.stringify(result).match(/started/g)?.length ?? 0;
  }

  it('by force, or by being stopped, loses its turns within a minute, and nothing of them is left', async () => {
    const victim = await startWorker();
    const killed = await runToTheMiddle(70_001);
    sleeper = await startWorker();
    stopped = await runToTheMiddle(70_002);
    const diedAt = performance.now();
    sleeper.kill('SIGSTOP');
    await kill(victim);
    watch.note('tree of a killed worker gone', await untilGone(killed.session.id), 5_000);
    await startWorker();
    for (const { session, turn } of [killed, stopped]) {
      expect(await session.end(turn, 65_000)).toMatchObject(LOST);
      watch.note('turn of a dead worker lost', performance.now() - diedAt, 60_000);
      await session.saw('turn:end', turn);
      expect(session.kinds(turn).slice(-3)).toEqual(['session:error', 'process:exit', 'turn:end']);
    }
    await untilGone(stopped.session.id);
    watch.note('tree of a stopped worker gone', performance.now() - diedAt, 60_000);
    await expectGoesOn(killed.session);
  });

  it('and starts again on its own disk: its turn is lost at once, its work is kept, its tool ran once', async () => {
    const disk = diskOf('kept');
    const worker = await startWorker(disk);
    const { session, turn } = await runToTheMiddle(70_003);
    await kill(worker);
    await watch.time('turn lost by a restart', 20_000, async () => {
      await startWorker(disk);
      expect(await session.end(turn, 20_000)).toMatchObject(LOST);
    });
    expect(await countRuns(session)).toBe(1);
    expect(
      session.socket.seen.all.filter(({ kind }) => kind === 'turn:notice').map(({ payload }) => payload),
    ).toMatchObject([{ code: 'WORKSPACE_SALVAGED' }]);
    await expectGoesOn(session);
  });

  it('between an event’s commit and its publication: viewers have it all the same', async () => {
    const redis = await tapRedis(product.stack, 'tr');
    const worker = await startWorker({ ...diskOf('published'), REDIS_URL: redis.url });
    const session = await open();
    let deltas = 0;
    const died = redis.tap.when((bytes) => {
      if (!bytes.includes('"kind":"chat:delta"') || (deltas += 1) < 5) return false;
      worker.kill('SIGKILL');
      return true;
    });
    const turn = await session.send('[[slow words=200 delay=30]]');
    await died;
    await worker.exited;
    await startWorker(diskOf('published'));
    expect(await session.end(turn, 20_000)).toMatchObject(LOST);
    await expectGoesOn(session);
    await redis.tap.close();
  });

  it('between a result and its settlement: the turn is lost, what it said and cost is kept', async () => {
    const postgres = await tapPostgres(product.stack, 'tp');
    const worker = await startWorker({ ...diskOf('settled'), DATABASE_URL: postgres.url });
    const session = await open();
    const died = postgres.tap.when((bytes) => {
      // Only a final status frees the session.
      if (!bytes.includes('active_session_id = NULL')) return false;
      worker.kill('SIGKILL');
      return true;
    });
    // A turn that changed no files is settled with its result, so there is nothing between.
    const turn = await session.send('[[tool Bash {"command":"touch /workspace/said"}]] [[text All of it was said.]]');
    await died;
    await worker.exited;
    await startWorker(diskOf('settled'));
    const ended = await session.end(turn, 20_000);
    expect(ended).toMatchObject(LOST);
    await session.saw('turn:end', turn);
    expect(session.payloads(turn, 'session:complete')).toMatchObject([{ text: 'All of it was said.' }]);
    const report = await product.person.call<{ totalUsd: string }>('GET', '/v1/usage?groupBy=turn');
    expect(JSON.stringify(report.body)).toContain(ended.costUsd);
    expect(Number(ended.costUsd)).toBeGreaterThan(0);
    await expectGoesOn(session);
    await postgres.tap.close();
  });

  it('after a turn’s end and before its state is stored: the next turn has the files', async () => {
    const redis = await tapRedis(product.stack, 'ts');
    const worker = await startWorker({ ...diskOf('unstored'), REDIS_URL: redis.url });
    const session = await open();
    const died = redis.tap.when((bytes) => {
      if (!bytes.includes('"kind":"turn:end"')) return false;
      worker.kill('SIGKILL');
      return true;
    });
    const turn = await session.send(
      '[[tool Bash {"command":"echo started >> /workspace/count.txt"}]] [[text Written.]]',
    );
    await died;
    await worker.exited;
    expect(await session.end(turn)).toMatchObject({ status: 'completed', text: 'Written.' });
    await startWorker(diskOf('unstored'));
    expect(await countRuns(session)).toBe(1);
    await expectGoesOn(session);
    await redis.tap.close();
  });

  it('in the instant in which a sandbox starts: what is left of that keeps the session’s next turn from nothing', async () => {
    const disk = diskOf('starting');
    const slow = slowBubblewrap(product.stack.diskOf('slow'));
    const worker = await startWorker({ ...disk, PATH: `${slow.directory}:${process.env['PATH']}` });
    const session = await open();
    slow.hold();
    const turn = await session.send('[[text Never said.]]');
    await waitFor(() => slow.heldPid() !== null, { what: 'a sandbox is about to start' });
    await kill(worker);
    slow.release();
    const isLeft = ({ pid }: { pid: number }) => pid !== slow.heldPid();
    await waitFor(() => turnProcesses(session.id).some(isLeft) && turnProcesses(session.id).every(isLeft), {
      what: 'bubblewrap ended, and something of it is left',
    });
    const left = turnProcesses(session.id).map(({ pid }) => pid);
    await startWorker(disk);
    expect(await session.end(turn, 20_000)).toMatchObject(LOST);
    await expectGoesOn(session);
    expect(turnProcesses(session.id).filter(({ pid }) => left.includes(pid))).toEqual([]);
  });

  it('at any moment, again and again: every turn ends once, and the last one works', async () => {
    const disk = diskOf('often');
    let worker = await startWorker(disk);
    const session = await open();
    for (const delayMs of [40, 150, 300, 450, 700, 1_000]) {
      const turn = await session.send(
        '[[tool Bash {"command":"echo started >> /workspace/count.txt"}]] [[slow words=30 delay=20]]',
      );
      await session.saw('turn:queued', turn);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await kill(worker);
      worker = await startWorker(disk);
      const { status, error } = await session.end(turn, 30_000);
      expect([
        { status: 'completed', error: null },
        { status: 'lost', error: expect.objectContaining(LOST.error) },
      ]).toContainEqual({ status, error });
    }
    const ran = session.socket.seen.all.filter(
      ({ kind, payload }) => kind === 'tool:start' && JSON.stringify(payload).includes('count.txt'),
    ).length;
    expect(await countRuns(session)).toBeLessThanOrEqual(ran);
    await expectGoesOn(session);
  });

  it('by SIGTERM under load: short turns end, long ones are interrupted, none is left', async () => {
    const worker = await startWorker({ CHIRALITY_WORKER_SLOTS: '3' });
    const long = await runToTheMiddle(70_004);
    const short = await open();
    const brief = await short.send('[[slow words=40 delay=30]]');
    await short.saw('chat:delta', brief);
    const exit = await watch.time('stopped under load', 30_000, () => {
      worker.kill('SIGTERM');
      return worker.exited;
    });
    expect(exit).toEqual({ code: 0, signal: null });
    expect(await short.end(brief)).toMatchObject({ status: 'completed' });
    expect(await long.session.end(long.turn)).toMatchObject({ status: 'interrupted', error: { code: 'INTERRUPTED' } });
    expect(marked('sleep 70004')).toEqual([]);
    await untilGone(short.id, 1_000);
    await startWorker();
    await expectGoesOn(short);
    await expectGoesOn(long.session);
  });

  it('is one of several: two of them never take one turn', async () => {
    await Promise.all([startWorker(), startWorker(), startWorker()]);
    const sessions = await Promise.all(Array.from({ length: 9 }, () => open()));
    const turns = await Promise.all(sessions.map((session) => session.run('[[text Once.]]', 120_000)));
    expect(turns.map(({ status, text }) => ({ status, text }))).toEqual(
      turns.map(() => ({ status: 'completed', text: 'Once.' })),
    );
    for (const [index, session] of sessions.entries()) {
      await session.expectLawful();
      // A process that was started ahead and died before it began is followed by another one, on the same worker.
      const starts = session.payloads(turns[index] as Turn, 'turn:start') as {
        worker: string;
        attempt: number;
        process: string;
      }[];
      expect(starts.map(({ worker, attempt }) => ({ worker, attempt }))).toEqual(
        starts.map(() => ({ worker: starts[0]?.worker, attempt: 1 })),
      );
      expect(starts.filter(({ process }) => process === 'cold').length).toBeLessThanOrEqual(1);
      expect(starts).not.toEqual([]);
    }
  });

  it('adds nothing when it wakes up after twice its lease, and ends for its supervisor to start it again', async () => {
    if (!sleeper || !stopped) throw new Error('the first test did not get so far');
    const { session } = stopped;
    const before = (await product.person.events(session.id)).length;
    sleeper.kill('SIGCONT');
    expect((await sleeper.exited).code).toBe(75);
    expect((await product.person.events(session.id)).length).toBe(before);
    await startWorker();
    await expectGoesOn(session);
  });
});
