import { AttendedSession } from './support/attended-session';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { untilGone } from './support/process-scan';
import { sendUntilAccepted } from './support/send-until-accepted';
import { Stopwatch } from './support/stopwatch';
import { talk } from './support/talk';

jest.setTimeout(120_000);

describe('when everything dies at once', () => {
  let product: FaultStack;
  const watch = new Stopwatch();

  beforeAll(async () => {
    product = await startFaultStack({ fake: true, workers: 0, env: { CHIRALITY_PARKED_MS: '0' } });
  });
  afterEach(() => AttendedSession.closeAll());
  afterAll(async () => {
    watch.report('when everything dies at once');
    await product?.stop();
  });

  it('what was accepted is there, what ran is lost and said to be, and the rest continues', async () => {
    const { stack, person, projectId } = product;
    const disk = {
      CHIRALITY_DATA_DIR: stack.diskOf('kept'),
      CHIRALITY_RUN_DIR: stack.diskOf('rkept'),
      CHIRALITY_WORKER_SLOTS: '2',
    };
    const worker = await stack.startWorker(disk);
    const [running, ended, waiting] = [
      await AttendedSession.open(person, projectId),
      await AttendedSession.open(person, projectId),
      await AttendedSession.open(person, projectId),
    ];
    expect(await ended.run(talk(3).toMessage())).toMatchObject({ status: 'completed' });
    const [first, second] = [
      await running.send(talk(2_000, 10).toMessage()),
      await ended.send(talk(2_000, 10).toMessage()),
    ];
    await running.saw('chat:delta', first);
    await ended.saw('chat:delta', second);
    const queued = await waiting.send(talk(3).toMessage());
    await waiting.saw('turn:queued', queued);

    worker.kill('SIGKILL');
    stack.api.kill('SIGKILL');
    await Promise.all([worker.exited, stack.api.exited, stack.redis.goDown(), stack.postgres.goDown('immediate')]);
    await Promise.all([running, ended].map(({ id }) => untilGone(id, 5_000)));

    await Promise.all([stack.redis.comeUp(), stack.postgres.comeUp()]);
    const since = performance.now();
    await Promise.all([stack.restartApi(), stack.startWorker(disk)]);
    for (const [session, turn] of [
      [running, first],
      [ended, second],
    ] as const) {
      expect(await session.end(turn, 60_000)).toMatchObject({ status: 'lost', error: { code: 'WORKER_LOST' } });
    }
    expect(await waiting.end(queued, 60_000)).toMatchObject({
      status: 'completed',
      text: 'word word word ',
      attempt: 1,
    });
    watch.note('queue moving after a start from nothing', performance.now() - since, 30_000);
    for (const session of [running, ended, waiting]) {
      const turn = await sendUntilAccepted(person, session.id, talk(3).toMessage(), session.id);
      expect(await session.end(turn)).toMatchObject({ status: 'completed', text: 'word word word ' });
      await session.expectLawful();
    }
  });
});
