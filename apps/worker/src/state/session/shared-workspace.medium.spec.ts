import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { StateFixture, type FixtureSession, type FixtureWorker } from '../../../test/state-fixture';
import { failingBlobs } from '../../../test/failing-blobs';

jest.setTimeout(120_000);

let fixture: StateFixture;
beforeAll(async () => {
  fixture = await StateFixture.start();
});
afterAll(() => fixture.close());

const twoSessions = async (): Promise<[FixtureSession, FixtureSession]> => {
  const one = await fixture.session({ 'a.txt': 'one\n' }, 'shared');
  return [one, await fixture.sessionOf(one.project, 'shared')];
};
const workspaceIdOf = ({ record }: FixtureSession) => record.sharedWorkspaceId ?? '';
const filesOf = async (worker: FixtureWorker, session: FixtureSession) => {
  const { workspace } = await worker.acts.forReading(session.record.id);
  const listed = await fixture.files.scripts.run({
    text: 'cd "$W"; ls',
    mounts: { workspace, workspaceReadOnly: true },
    timeoutMs: 20_000,
    maxOutputBytes: 10_000,
  });
  return listed.stdout.toString('utf8').trim().split('\n');
};

describeAsOrdinaryUser('a shared workspace', () => {
  it('is one for all its sessions, each with its own conversation, used by one at a time', async () => {
    const worker = await fixture.worker('shared');
    const [one, two] = await twoSessions();
    const first = await fixture.turn(worker, one, 'echo 1 > one');
    const second = await fixture.turn(worker, two, 'echo 2 > two');
    expect(second.prepared.workspace).toBe(first.prepared.workspace);
    expect(second.prepared.lockFile).toBe(first.prepared.lockFile);
    expect(second.prepared.config).not.toBe(first.prepared.config);
    expect(second.prepared).toMatchObject({ branch: 'chirality/shared', claudeSessionId: null, notice: null });
    expect(second.changes?.files.map(({ path }) => path)).toEqual(['two']);
    expect(await fixture.act(second.prepared, 'ls')).toBe('a.txt\none\ntwo\n');
    const { workspace, objects, lockFile } = first.prepared;
    const running = fixture.files.sandbox.spawn({
      profile: 'workspace',
      paths: { workspace, objects, lockFile },
      command: ['/bin/sh', '-c', 'echo up; exec sleep 60'],
    });
    await new Promise((resolve) => running.stdout.once('data', resolve));
    await expect(fixture.act(second.prepared, 'true')).rejects.toMatchObject({ code: 'TURN_IN_PROGRESS' });
    running.killTree();
    await running.exited;
  });

  it('is handed with what is not committed to any worker, and each conversation with it', async () => {
    const [a, b] = [await fixture.worker('shared-a'), await fixture.worker('shared-b')];
    const [one, two] = await twoSessions();
    await fixture.turn(a, one, 'echo 1 > one; echo more >> a.txt');
    const second = await fixture.turn(b, two, 'echo 2 > two');
    expect(second.prepared.notice).toBeNull();
    expect(await fixture.act(second.prepared, 'cat one a.txt')).toBe('1\none\nmore\n');
    const third = await fixture.turn(a, one, 'echo 3 > three');
    expect(third.prepared).toMatchObject({ notice: null, claudeSessionId: one.record.claudeSessionId });
    expect(await fixture.act(third.prepared, 'ls')).toBe('a.txt\none\nthree\ntwo\n');
    const said = await fixture.act(third.prepared, fixture.conversation(one));
    expect(said.split('\n').filter((line) => line.startsWith('turn at fence'))).toHaveLength(3);
    expect(await filesOf(b, two)).toEqual(['a.txt', 'one', 'three', 'two']);
  });

  it('is back at its last stored state when its worker is lost, which the next turn of any session says', async () => {
    const [a, b] = [await fixture.worker('lost-a'), await fixture.worker('lost-b')];
    const [one, two] = await twoSessions();
    await fixture.turn(a, one, 'echo 1 > stored');
    const { turnId, fence, workspaceFence } = await fixture.claim(a, one);
    const prepared = await a.disk.prepare({ session: one.record, project: one.project, fence, workspaceFence });
    await a.disk.markDirty(one.record.id, { attempt: 1, fence });
    await fixture.launched(turnId);
    await fixture.act(prepared, 'echo 2 > half');
    await fixture.lose(a);
    await fixture.settle(turnId, 'lost');
    const next = await fixture.turn(b, two, 'echo 3 > next');
    expect(next.prepared.notice).toMatchObject({ code: 'WORKSPACE_RESTORED', text: expect.stringContaining('shared') });
    expect(await fixture.act(next.prepared, 'ls')).toBe('a.txt\nnext\nstored\n');
    expect(await a.disk.store({ sessionId: one.record.id, fence, mutated: true, claudeSessionId: null })).toMatchObject(
      {
        stored: false,
      },
    );
    expect(await fixture.act(next.prepared, 'ls')).toBe('a.txt\nnext\nstored\n');
  });

  it('is salvaged where its worker comes back, by the turn of another session', async () => {
    const before = await fixture.worker('salvaged');
    const [one, two] = await twoSessions();
    const { turnId, fence, workspaceFence } = await fixture.claim(before, one);
    const prepared = await before.disk.prepare({ session: one.record, project: one.project, fence, workspaceFence });
    await before.disk.markDirty(one.record.id, { attempt: 1, fence });
    await fixture.launched(turnId);
    await fixture.act(prepared, 'echo 1 > half');
    await fixture.settle(turnId, 'lost');
    const after = await fixture.worker('salvaged');
    const next = await fixture.turn(after, two, null);
    expect(next.prepared.notice).toMatchObject({ code: 'WORKSPACE_SALVAGED', text: expect.stringContaining('shared') });
    const elsewhere = await fixture.turn(await fixture.worker('salvaged-b'), two, null);
    expect(await fixture.act(elsewhere.prepared, 'cat half')).toBe('1\n');
  });

  it('keeps what could not be stored for the next session’s turn on the same worker, which stores all of it', async () => {
    const blobs = failingBlobs(fixture.files.blobs, 'workspaces/');
    const worker = await fixture.worker('unstored', { blobs });
    const [one, two] = await twoSessions();
    await expect(fixture.turn(worker, one, 'echo 1 > one')).rejects.toThrow();
    blobs.heal();
    const next = await fixture.turn(worker, two, 'echo 2 > two');
    expect(next.prepared.notice).toBeNull();
    expect(await worker.disk.storeLeftovers()).toBe(0);
    expect(await filesOf(await fixture.worker('unstored-b'), two)).toEqual(['a.txt', 'one', 'two']);
  });

  it('takes an act of one session while none has a turn, and the others see it, on another worker too', async () => {
    const [a, b] = [await fixture.worker('acts-a'), await fixture.worker('acts-b')];
    const [one, two] = await twoSessions();
    await fixture.turn(a, one, 'echo 1 > one');
    const write = (worker: FixtureWorker, { record }: FixtureSession, name: string) =>
      worker.acts.forWriting(record.id, async ({ workspace }) => {
        await fixture.files.scripts.run({
          text: `cd "$W"; echo x > ${name}`,
          mounts: { workspace },
          timeoutMs: 20_000,
          maxOutputBytes: 1_000,
        });
      });
    await write(a, two, 'uploaded');
    await expect(write(b, one, 'elsewhere')).rejects.toMatchObject({ code: 'WORKSPACE_IN_USE' });
    const { turnId } = await fixture.claim(a, one);
    await expect(write(a, two, 'meanwhile')).rejects.toMatchObject({ code: 'WORKSPACE_IN_USE' });
    await fixture.settle(turnId, 'cancelled');
    await fixture.lose(a);
    expect(await filesOf(b, one)).toEqual(['a.txt', 'one', 'uploaded']);
    await write(b, one, 'elsewhere');
    const next = await fixture.turn(b, two, null);
    expect(await fixture.act(next.prepared, 'ls')).toBe('a.txt\nelsewhere\none\nuploaded\n');
  });

  it('stays when one of its sessions is deleted, and when it is evicted from a disk', async () => {
    const cacheLimits = { bytes: 0, sessions: 0, freeBytes: Infinity };
    const worker = await fixture.worker('forgotten', { cacheLimits });
    const [one, two] = await twoSessions();
    await fixture.turn(worker, one, 'echo 1 > one');
    await worker.cache.forget(one.record.id);
    expect(await fixture.blobsOf(one.record.id)).toEqual([]);
    expect(await worker.cache.evict()).toContain(workspaceIdOf(one));
    const next = await fixture.turn(worker, two, null);
    expect(next.prepared).toMatchObject({ restored: true, notice: null });
    expect(await fixture.act(next.prepared, 'cat one')).toBe('1\n');
  });

  it('is never mixed with the files of a session that has its own', async () => {
    const worker = await fixture.worker('mixed');
    const [one] = await twoSessions();
    const own = await fixture.sessionOf(one.project);
    await fixture.turn(worker, one, 'echo 1 > shared-file');
    const other = await fixture.turn(worker, own, 'echo 2 > own-file');
    expect(await fixture.act(other.prepared, 'ls')).toBe('a.txt\nown-file\n');
    expect(await filesOf(worker, one)).toEqual(['a.txt', 'shared-file']);
  });
});
