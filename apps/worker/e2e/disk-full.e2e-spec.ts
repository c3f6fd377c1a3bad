import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  canHaveOwnMounts,
  fakeClaude,
  fillDisk,
  waitFor,
  withOwnMounts,
  type ManagedProcess,
} from '@chirality/testing';
import { AttendedSession } from './support/attended-session';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { untilGone } from './support/process-scan';
import { Stopwatch } from './support/stopwatch';
import { talk } from './support/talk';

jest.setTimeout(120_000);

const MIB = 1024 * 1024;
/** A sandbox is ended before less than 256 MiB are free. */
const DATA_BYTES = 400 * MIB;
const BLOB_BYTES = 8 * MIB;

(canHaveOwnMounts() ? describe : describe.skip)('a full disk', () => {
  let product: FaultStack;
  let worker: ManagedProcess;
  let blobs: string;
  const watch = new Stopwatch();

  beforeAll(async () => {
    product = await startFaultStack({ fake: true, workers: 0, env: { CHIRALITY_PARKED_MS: '0' } });
    const data = product.stack.diskOf('small');
    blobs = product.stack.diskOf('smallblobs');
    const disks = withOwnMounts([
      { directory: data, bytes: DATA_BYTES },
      { directory: blobs, bytes: BLOB_BYTES },
    ]);
    // The run directory is where it is by default: on the disk that is full.
    worker = await product.stack.startWorker(
      { CHIRALITY_DATA_DIR: data, CHIRALITY_RUN_DIR: join(data, 'run'), CHIRALITY_BLOB_URL: `file:${blobs}` },
      disks,
    );
  });
  afterEach(() => AttendedSession.closeAll());
  afterAll(async () => {
    watch.report('a full disk');
    await product?.stop();
  });

  const open = () => AttendedSession.open(product.person, product.projectId);
  /** Where the worker sees a path; no other process sees its disks. */
  const seenByWorker = (path: string) => join(`/proc/${worker.pid}/root`, path);

  const fill = (file: string, bytes: number) => fakeClaude().step({ do: 'fillDisk', path: file, bytes }).steps;

  it.each([
    [
      'bit by bit',
      Array.from({ length: 12 }, (_, index) => [
        ...fill(`big-${index}`, 25 * MIB),
        ...fakeClaude().sleep(300).steps,
      ]).flat(),
    ],
    ['at once, to the last byte', fill('big-0', 450 * MIB)],
  ])('that one session fills %s ends its turn, and no other', async (_how, steps) => {
    const [filling, modest] = [await open(), await open()];
    const quiet = await modest.send(talk(1_200, 10).toMessage());
    await modest.saw('chat:delta', quiet);
    const turn = await filling.send(
      fakeClaude()
        .init()
        .messageStart('m1')
        .textDelta('m1', 'word ')
        .step(...steps)
        .hang()
        .toMessage(),
    );
    await filling.saw('chat:delta', turn);
    const from = performance.now();
    expect(await filling.end(turn)).toMatchObject({ status: 'failed', error: { code: 'DISK_FULL' }, attempt: 1 });
    watch.note('turn that fills the disk ended', performance.now() - from, 30_000);
    await untilGone(filling.id, 2_000);
    expect(await modest.end(quiet)).toMatchObject({ status: 'completed', text: 'word '.repeat(1_200) });

    const tidying = fakeClaude().init();
    for (let index = 0; index < 12; index += 1) tidying.step({ do: 'removeFile', path: `big-${index}` });
    expect(await filling.run(tidying.text('m1', 'Tidied.').result().toMessage())).toMatchObject({
      error: null,
      status: 'completed',
      text: 'Tidied.',
    });
    for (const session of [filling, modest]) await session.expectGoesOn();
  });

  it('of blobs takes no turn’s end, no result and no later store', async () => {
    const session = await open();
    const makeRoom = fillDisk(seenByWorker(join(blobs, 'filler')));
    const large = 'line of a large result\n'.repeat(10_000);
    const message = fakeClaude()
      .init()
      .step({ do: 'writeFile', path: 'kept.txt', text: 'kept' })
      .useTool({ id: 'toolu_1', name: 'Bash', input: { command: 'ls' }, content: large })
      .text('m2', 'Made.')
      .result();
    const turn = await session.run(message.toMessage());
    expect(turn).toMatchObject({ status: 'completed', text: 'Made.' });
    await session.saw('turn:end', turn);
    // Stored whole: too large is better than lost.
    expect(session.payloads(turn, 'tool:result')).toMatchObject([{ toolUseId: 'toolu_1', content: large }]);
    await waitFor(() => worker.lines.some(({ msg }) => msg === 'session.not_stored'), {
      what: 'the worker says that it could not store the session',
      timeoutMs: 15_000,
    });
    await session.expectGoesOn();

    makeRoom();
    const prefix = seenByWorker(join(blobs, 'sessions', session.id));
    await waitFor(() => existsSync(prefix), {
      what: 'the session is stored after all',
      timeoutMs: 45_000,
      everyMs: 100,
    });
    await session.expectGoesOn();
  });
});
