import { stat } from 'node:fs/promises';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { StateFixture } from '../../../test/state-fixture';

jest.setTimeout(60_000);

let fixture: StateFixture;
beforeAll(async () => {
  fixture = await StateFixture.start();
});
afterAll(() => fixture.close());

describeAsOrdinaryUser('a session on one worker', () => {
  it('starts at the project’s base commit and continues where it was', async () => {
    const [worker, session] = [await fixture.worker('one'), await fixture.session()];
    const first = await fixture.turn(worker, session, 'echo two >> a.txt');
    expect(first.prepared).toMatchObject({
      stateVersion: 0,
      claudeSessionId: null,
      restored: false,
      notice: null,
      branch: `chirality/${session.record.id}`,
    });
    expect(first.changes).toMatchObject({
      files: [{ path: 'a.txt', status: 'modified', additions: 1, deletions: 0 }],
      additions: 1,
      deletions: 0,
    });
    expect(first.stored).toMatchObject({ stored: true, stateVersion: 1, workspaceTooLarge: false });
    const second = await fixture.turn(worker, session, 'echo three >> a.txt; echo n > n');
    expect(second.prepared).toMatchObject({
      stateVersion: 1,
      claudeSessionId: session.record.claudeSessionId,
      restored: false,
      notice: null,
    });
    expect(second.changes?.files.map(({ path, additions }) => [path, additions])).toEqual([
      ['a.txt', 1],
      ['n', 1],
    ]);
    expect(await worker.pointers.read(session.record.id)).toEqual({
      version: 2,
      key: second.stored.stored && second.stored.key,
      holderWorkerId: worker.id,
      lastRunFence: second.fence,
    });
  });

  it('is private to the worker’s user', async () => {
    const [worker, session] = [await fixture.worker('private'), await fixture.session()];
    const { prepared } = await fixture.turn(worker, session, null);
    for (const path of [prepared.dir, prepared.workspace, prepared.config, prepared.tmp, prepared.snapshot])
      expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it('stores nothing of the workspace when no tool that can change files had started', async () => {
    const [worker, session] = [await fixture.worker('two'), await fixture.session()];
    await fixture.turn(worker, session, null);
    expect(await fixture.blobsOf(session.record.id)).toEqual(['1/*/state.json', '1/*/transcript.tar.gz']);
    await fixture.turn(worker, session, 'echo 2 > two');
    await fixture.turn(worker, session, null);
    expect(await fixture.blobsOf(session.record.id)).toEqual([
      '2/*/state.json',
      '2/*/transcript.tar.gz',
      '2/*/workspace.tar.gz',
      '3/*/state.json',
      '3/*/transcript.tar.gz',
    ]);
  });

  it('keeps the last two states and what they need of older ones', async () => {
    const [worker, session] = [await fixture.worker('three'), await fixture.session()];
    await fixture.turn(worker, session, 'echo 1 > one');
    for (let turn = 0; turn < 4; turn += 1) await fixture.turn(worker, session, null);
    expect(await fixture.blobsOf(session.record.id)).toEqual([
      '1/*/workspace.tar.gz',
      '4/*/state.json',
      '4/*/transcript.tar.gz',
      '5/*/state.json',
      '5/*/transcript.tar.gz',
    ]);
    await fixture.turn(worker, session, 'echo 2 > two');
    await fixture.turn(worker, session, null);
    expect(await fixture.blobsOf(session.record.id)).toEqual([
      '6/*/state.json',
      '6/*/transcript.tar.gz',
      '6/*/workspace.tar.gz',
      '7/*/state.json',
      '7/*/transcript.tar.gz',
    ]);
  });

  it('says so when the files are too large to be stored, and stores them once they are not', async () => {
    const [worker, session] = [await fixture.worker('four'), await fixture.session()];
    const large = await fixture.turn(worker, session, 'truncate -s 300M large; echo 1 > small');
    expect(large.stored).toMatchObject({ stored: true, workspaceTooLarge: true });
    const elsewhere = await (
      await fixture.worker('four-b')
    ).jobs.handle({ act: 'list-files', sessionId: session.record.id, path: '' });
    expect(elsewhere).toMatchObject({ list: { data: [{ path: 'a.txt' }] } });
    const small = await fixture.turn(worker, session, 'rm large');
    expect(small.stored).toMatchObject({ stored: true, workspaceTooLarge: false });
  });
});

describeAsOrdinaryUser('a session at rest', () => {
  const ready = (
    worker: Awaited<ReturnType<StateFixture['worker']>>,
    { record, project }: Awaited<ReturnType<StateFixture['session']>>,
  ) => worker.disk.whileIdle({ session: record, project }, async (prepared) => fixture.act(prepared, 'ls'));

  it('is made ready ahead of a turn, which then finds it as it is', async () => {
    const [worker, session] = [await fixture.worker('ahead'), await fixture.session()];
    expect(await ready(worker, session)).toBe('a.txt\n');
    const first = await fixture.turn(worker, session, 'echo 1 > one');
    expect(first.prepared).toMatchObject({ restored: false, notice: null, stateVersion: 0 });
    expect(await ready(worker, session)).toBe('a.txt\none\n');
    expect((await fixture.turn(worker, session, null)).prepared).toMatchObject({
      restored: false,
      notice: null,
      stateVersion: 1,
    });
  });

  it('is left to its next turn when that has to tell people something, and while a turn is live or another worker has it', async () => {
    const [a, b, session] = [await fixture.worker('ahead-a'), await fixture.worker('ahead-b'), await fixture.session()];
    await fixture.turn(a, session, 'echo 1 > one');
    expect(await ready(b, session)).toBeNull();
    const { turnId } = await fixture.claim(a, session);
    expect(await ready(a, session)).toBeNull();
    await fixture.settle(turnId);
    await fixture.lose(a);
    // What b would have to restore first, it restores for a turn.
    expect(await ready(b, session)).toBeNull();
    expect((await fixture.turn(b, session, null)).prepared).toMatchObject({ restored: true });
  });
});

describeAsOrdinaryUser('turns that follow each other closely', () => {
  it('lets the next turn begin before the last one was stored, and stores both', async () => {
    const [worker, session] = [await fixture.worker('close'), await fixture.session()];
    const first = await fixture.claim(worker, session);
    const prepared = await worker.disk.prepare({
      session: session.record,
      project: session.project,
      fence: first.fence,
    });
    await worker.disk.markDirty(session.record.id, { attempt: 1, fence: first.fence });
    await fixture.launched(first.turnId);
    await fixture.act(prepared, 'echo 1 > one');
    await worker.disk.summariseChanges(session.record.id);
    await fixture.settle(first.turnId);
    const second = await fixture.claim(worker, session);
    const again = await worker.disk.prepare({ session: session.record, project: session.project, fence: second.fence });
    expect(again.notice).toBeNull();
    await worker.disk.markDirty(session.record.id, { attempt: 1, fence: second.fence });
    expect(
      await worker.disk.store({
        sessionId: session.record.id,
        fence: first.fence,
        mutated: true,
        claudeSessionId: null,
      }),
    ).toEqual({ stored: false, reason: 'overtaken' });
    await fixture.settle(second.turnId);
    expect(
      await worker.disk.store({
        sessionId: session.record.id,
        fence: second.fence,
        mutated: false,
        claudeSessionId: null,
      }),
    ).toMatchObject({ stored: true, stateVersion: 1 });
    const elsewhere = await fixture.turn(await fixture.worker('close-b'), session, null);
    expect(await fixture.act(elsewhere.prepared, 'ls')).toBe('a.txt\none\n');
  });

  it('looks at the files again only after an attempt that did not end in good order', async () => {
    let sandboxes = 0;
    const counted = <T extends (...args: never[]) => unknown>(act: T) =>
      ((...args: never[]) => ((sandboxes += 1), act(...args))) as unknown as T;
    const { spawn, run } = fixture.files.sandbox;
    const worker = await fixture.worker('kept', {
      sandbox: { spawn: counted(spawn.bind(fixture.files.sandbox)), run: counted(run.bind(fixture.files.sandbox)) },
    });
    const session = await fixture.session();
    const begin = async () => {
      const { turnId, fence } = await fixture.claim(worker, session);
      const pointer = await worker.pointers.read(session.record.id);
      const before = sandboxes;
      const { notice } = await worker.disk.prepare({
        session: session.record,
        project: session.project,
        fence,
        ...(pointer ? { claimed: pointer } : {}),
      });
      await worker.disk.markDirty(session.record.id, { attempt: 1, fence });
      await fixture.settle(turnId);
      return { fence, notice, looked: sandboxes > before };
    };
    const first = await begin();
    worker.disk.keep(session.record.id, first.fence);
    const second = await begin();
    expect(second).toMatchObject({ notice: null, looked: false });
    // Nothing says of the second that it ended in good order.
    const third = await begin();
    expect(third).toMatchObject({ notice: null, looked: true });
    worker.disk.keep(session.record.id, third.fence);
    expect(
      await worker.disk.store({
        sessionId: session.record.id,
        fence: third.fence,
        mutated: false,
        claudeSessionId: null,
      }),
    ).toMatchObject({ stored: true, stateVersion: 1 });
    expect(await begin()).toMatchObject({ notice: null, looked: false });
  });

  it('refuses to replace a copy in which a process still works', async () => {
    const [a, b, session] = [await fixture.worker('held-a'), await fixture.worker('held-b'), await fixture.session()];
    const { prepared } = await fixture.turn(a, session, 'echo 1 > one');
    await fixture.turn(b, session, 'echo 2 > two');
    const { workspace, objects, lockFile } = prepared;
    const stray = fixture.files.sandbox.spawn({
      profile: 'workspace',
      paths: { workspace, objects, lockFile },
      command: ['/bin/sh', '-c', 'echo up; exec sleep 60'],
    });
    await new Promise((resolve) => stray.stdout.once('data', resolve));
    const { fence } = await fixture.claim(a, session);
    await expect(a.disk.prepare({ session: session.record, project: session.project, fence })).rejects.toMatchObject({
      code: 'TURN_IN_PROGRESS',
    });
    stray.killTree();
    await stray.exited;
    await expect(a.disk.prepare({ session: session.record, project: session.project, fence })).resolves.toMatchObject({
      restored: true,
      stateVersion: 2,
    });
  });
});
