import { readdir, rm } from 'node:fs/promises';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { failingBlobs } from '../../../test/failing-blobs';
import { StateFixture } from '../../../test/state-fixture';

jest.setTimeout(60_000);

let fixture: StateFixture;
beforeAll(async () => {
  fixture = await StateFixture.start();
});
afterAll(() => fixture.close());

describeAsOrdinaryUser('a session of whose copy a part is gone from the disk', () => {
  it.each(['workspace', 'config', 'snapshot', 'tmp'] as const)(
    'is restored from what is stored when that is %s',
    async (part) => {
      const [worker, session] = [await fixture.worker(`gone-${part}`), await fixture.session()];
      const { prepared } = await fixture.turn(worker, session, 'echo kept > kept.txt');
      await rm(prepared[part], { recursive: true });
      const next = await fixture.turn(worker, session, null);
      expect(next.prepared).toMatchObject({ restored: true, notice: null, stateVersion: 1 });
      expect(await fixture.act(next.prepared, 'cat kept.txt')).toBe('kept\n');
    },
  );

  it('says what was lost when the last work was stored nowhere else', async () => {
    const [worker, session] = [await fixture.worker('gone-unstored'), await fixture.session()];
    await fixture.turn(worker, session, 'echo kept > kept.txt');
    const { turnId, fence } = await fixture.claim(worker, session);
    const prepared = await worker.disk.prepare({ session: session.record, project: session.project, fence });
    await worker.disk.markDirty(session.record.id, { attempt: 1, fence });
    await fixture.launched(turnId);
    await fixture.settle(turnId, 'failed');
    worker.disk.release(session.record.id, fence);
    await rm(prepared.workspace, { recursive: true });
    const next = await fixture.turn(worker, session, null);
    expect(next.prepared).toMatchObject({ restored: true, notice: { code: 'WORKSPACE_RESTORED' } });
  });
});

describeAsOrdinaryUser('a session that moves to another worker', () => {
  it('has its files, its branch and its conversation there', async () => {
    const [a, b, session] = [await fixture.worker('move-a'), await fixture.worker('move-b'), await fixture.session()];
    await fixture.turn(
      a,
      session,
      'git checkout -q -b mine; echo two >> a.txt; git commit -qam two; echo n > new; rm -f gone',
    );
    await fixture.lose(a);
    const { prepared } = await fixture.turn(b, session, null);
    expect(prepared).toMatchObject({
      stateVersion: 1,
      restored: true,
      notice: null,
      claudeSessionId: session.record.claudeSessionId,
    });
    expect(await fixture.act(prepared, 'git log --format=%s -1 mine; git status --porcelain; cat a.txt new')).toBe(
      'two\n?? new\none\ntwo\nn\n',
    );
    expect(await fixture.act(prepared, fixture.conversation(session))).toBe(
      'turn at fence 1\nturn at fence 2\nturn at fence 2\n',
    );
  });

  it('comes back to a worker whose copy is old by then', async () => {
    const [a, b, session] = [await fixture.worker('back-a'), await fixture.worker('back-b'), await fixture.session()];
    await fixture.turn(a, session, 'echo 1 > one');
    await fixture.turn(b, session, 'echo 2 > two; rm one');
    const { prepared, changes } = await fixture.turn(a, session, 'echo 3 > three');
    expect(prepared).toMatchObject({ stateVersion: 2, restored: true, notice: null });
    expect(await fixture.act(prepared, 'ls')).toBe('a.txt\nthree\ntwo\n');
    expect(changes?.files.map(({ path }) => path)).toEqual(['three']);
  });

  it('is set back, with a notice for everyone, when its holder is gone with newer work', async () => {
    const [a, b, session] = [await fixture.worker('lost-a'), await fixture.worker('lost-b'), await fixture.session()];
    await fixture.turn(a, session, 'echo 1 > one');
    const { turnId, fence } = await fixture.claim(a, session);
    const prepared = await a.disk.prepare({ session: session.record, project: session.project, fence });
    await a.disk.markDirty(session.record.id, { attempt: 1, fence });
    await fixture.launched(turnId);
    await fixture.act(prepared, `echo 2 > two; ${fixture.saying(session, 'lost words')}`);
    await fixture.settle(turnId, 'lost');
    await fixture.lose(a);
    const next = await fixture.turn(b, session, null);
    expect(next.prepared).toMatchObject({
      stateVersion: 1,
      restored: true,
      notice: { code: 'WORKSPACE_RESTORED', level: 'warning', messageNote: expect.stringContaining('set back') },
    });
    expect(await fixture.act(next.prepared, `ls; ${fixture.conversation(session)}`)).not.toContain('lost words');
    expect((await fixture.turn(b, session, null)).prepared.notice).toBeNull();
    expect(
      await a.disk.store({
        sessionId: session.record.id,
        fence,
        mutated: true,
        claudeSessionId: session.record.claudeSessionId,
      }),
    ).toEqual({ stored: false, reason: 'superseded' });
  });

  it('shows its stored files through any worker when its holder is gone, and says so when none were stored', async () => {
    const [a, b, session] = [await fixture.worker('shown-a'), await fixture.worker('shown-b'), await fixture.session()];
    const list = () => b.jobs.handle({ act: 'list-files', sessionId: session.record.id, path: '' });
    const { turnId, fence } = await fixture.claim(a, session);
    const prepared = await a.disk.prepare({ session: session.record, project: session.project, fence });
    await a.disk.markDirty(session.record.id, { attempt: 1, fence });
    await fixture.launched(turnId);
    await fixture.act(prepared, 'echo 1 > one');
    await fixture.settle(turnId, 'lost');
    expect(await list()).toMatchObject({
      act: 'refused',
      code: 'WORKSPACE_NOT_STORED',
      detail: expect.stringContaining('Start that worker again'),
    });
    expect(await a.jobs.handle({ act: 'list-files', sessionId: session.record.id, path: '' })).toMatchObject({
      list: { data: [{ path: 'a.txt' }, { path: 'one' }] },
    });
    a.disk.release(session.record.id, fence);
    await fixture.turn(a, session, 'echo 2 > two');
    await fixture.lose(a);
    expect(await list()).toMatchObject({
      act: 'list-files',
      list: { data: [{ path: 'a.txt' }, { path: 'one' }, { path: 'two' }] },
    });
    expect(
      await b.jobs.handle({ act: 'diff', sessionId: session.record.id, query: { scope: 'session' } }),
    ).toMatchObject({ act: 'diff', diff: { totals: { files: 2 } } });
  });

  it('lets no worker that lost it store over what came after', async () => {
    const [a, b, session] = [await fixture.worker('fence-a'), await fixture.worker('fence-b'), await fixture.session()];
    const { turnId, fence } = await fixture.claim(a, session);
    await a.disk.prepare({ session: session.record, project: session.project, fence });
    await a.disk.markDirty(session.record.id, { attempt: 1, fence });
    await fixture.launched(turnId);
    await fixture.settle(turnId, 'lost');
    const after = await fixture.claim(b, session);
    await b.disk.prepare({ session: session.record, project: session.project, fence: after.fence });
    expect(await a.disk.store({ sessionId: session.record.id, fence, mutated: true, claudeSessionId: null })).toEqual({
      stored: false,
      reason: 'superseded',
    });
    expect(await fixture.blobsOf(session.record.id)).toEqual([]);
    await expect(a.disk.prepare({ session: session.record, project: session.project, fence })).rejects.toMatchObject({
      code: 'WORKSPACE_UNAVAILABLE',
    });
  });
});

describeAsOrdinaryUser('a worker that dies', () => {
  it('is not named as the cause where the turn failed before its process began', async () => {
    const [worker, session] = [await fixture.worker('failed-setup'), await fixture.session()];
    await fixture.turn(worker, session, 'echo 1 > one');
    const { turnId, fence } = await fixture.claim(worker, session);
    const prepared = await worker.disk.prepare({ session: session.record, project: session.project, fence });
    await worker.disk.markDirty(session.record.id, { attempt: 1, fence });
    await fixture.act(prepared, 'echo half > set-up');
    await fixture.settle(turnId, 'failed');
    worker.disk.release(session.record.id, fence);
    const next = await fixture.turn(worker, session, null);
    expect(next.prepared).toMatchObject({ notice: null, restored: false });
    expect(await fixture.act(next.prepared, 'cat one set-up')).toBe('1\nhalf\n');
  });

  it('finds what its attempt left when it comes back to the same disk', async () => {
    const [before, session] = [await fixture.worker('crash'), await fixture.session()];
    await fixture.turn(before, session, 'echo 1 > one');
    const { turnId, fence } = await fixture.claim(before, session);
    const prepared = await before.disk.prepare({ session: session.record, project: session.project, fence });
    await before.disk.markDirty(session.record.id, { attempt: 1, fence });
    await fixture.launched(turnId);
    await fixture.act(prepared, `echo 2 > two; touch .git/index.lock; ${fixture.saying(session, 'cut off')}`);
    await fixture.settle(turnId, 'lost');
    await fixture.lose(before);
    const after = await fixture.worker('crash');
    const next = await fixture.turn(after, session, 'git add -A; git commit -qm works; echo 3 > three');
    expect(next.prepared).toMatchObject({ stateVersion: 1, restored: false, notice: { code: 'WORKSPACE_SALVAGED' } });
    expect(next.changes?.files.map(({ path }) => path)).toEqual(['three']);
    expect(next.stored).toMatchObject({ stored: true, stateVersion: 2 });
    const elsewhere = await fixture.turn(await fixture.worker('crash-b'), session, null);
    expect(await fixture.act(elsewhere.prepared, `ls; ${fixture.conversation(session)}`)).toBe(
      'a.txt\none\nthree\ntwo\nturn at fence 1\ncut off\nturn at fence 3\nturn at fence 4\nturn at fence 4\n',
    );
  });

  it('continues with what was settled but not stored, without a notice', async () => {
    const [before, session] = [
      await fixture.worker('unstored', { blobs: failingBlobs(fixture.files.blobs, 'sessions/') }),
      await fixture.session(),
    ];
    await expect(fixture.turn(before, session, 'echo 1 > one')).rejects.toThrow('no space left');
    const next = await fixture.turn(before, session, null).catch((error: Error) => error.message);
    expect(next).toBe('no space left');
    const after = await fixture.worker('unstored');
    const { prepared, stored } = await fixture.turn(after, session, null);
    expect(prepared).toMatchObject({ stateVersion: 0, notice: null, restored: false });
    expect(stored).toMatchObject({ stored: true, stateVersion: 1 });
    const elsewhere = await fixture.turn(await fixture.worker('unstored-b'), session, null);
    expect(await fixture.act(elsewhere.prepared, 'ls')).toBe('a.txt\none\n');
  });

  it('stores leftovers while the session rests', async () => {
    const blobs = failingBlobs(fixture.files.blobs, 'sessions/');
    const [worker, session] = [await fixture.worker('leftover', { blobs }), await fixture.session()];
    await expect(fixture.turn(worker, session, 'echo 1 > one')).rejects.toThrow('no space left');
    expect(await worker.disk.storeLeftovers()).toBe(1);
    blobs.heal();
    expect(await worker.disk.storeLeftovers()).toBe(0);
    expect(await worker.pointers.read(session.record.id)).toMatchObject({ version: 1 });
    expect(await fixture.blobsOf(session.record.id)).toHaveLength(3);
  });

  it('stores at its next start what it had settled and could not store', async () => {
    const [before, session] = [
      await fixture.worker('restart', { blobs: failingBlobs(fixture.files.blobs, 'sessions/') }),
      await fixture.session(),
    ];
    await expect(fixture.turn(before, session, 'echo 1 > one')).rejects.toThrow('no space left');
    const after = await fixture.worker('restart', { workerId: before.id });
    await after.keeper.tend();
    expect(await after.pointers.read(session.record.id)).toMatchObject({ version: 1, holderWorkerId: before.id });
    const { prepared } = await fixture.turn(await fixture.worker('restart-b'), session, null);
    expect(prepared).toMatchObject({ restored: true, notice: null, claudeSessionId: session.record.claudeSessionId });
    expect(await fixture.act(prepared, `ls; ${fixture.conversation(session)}`)).toBe(
      'a.txt\none\nturn at fence 1\nturn at fence 2\nturn at fence 2\n',
    );
  });

  it('finds out that a move whose answer was lost had been made', async () => {
    const [plain, session] = [await fixture.worker('answer'), await fixture.session()];
    let lose = true;
    const pointers = {
      read: plain.pointers.read.bind(plain.pointers),
      hold: plain.pointers.hold.bind(plain.pointers),
      holdIdle: plain.pointers.holdIdle.bind(plain.pointers),
      markUnstored: plain.pointers.markUnstored.bind(plain.pointers),
      noteUnstored: plain.pointers.noteUnstored.bind(plain.pointers),
      move: async (move: Parameters<typeof plain.pointers.move>[0]) => {
        const moved = await plain.pointers.move(move);
        if (lose) throw new Error('connection lost');
        return moved;
      },
    };
    const worker = { ...(await fixture.worker('answer', { pointers, workerId: plain.id })), id: plain.id };
    await expect(fixture.turn(worker, session, 'echo 1 > one')).rejects.toThrow('connection lost');
    lose = false;
    expect(await worker.disk.storeLeftovers()).toBe(0);
    const next = await fixture.turn(worker, session, null);
    expect(next.prepared).toMatchObject({ stateVersion: 1, restored: false, notice: null });
    expect(next.stored).toMatchObject({ stateVersion: 2 });
  });

  it('leaves nothing half built in the way', async () => {
    const [worker, session] = [
      await fixture.worker('half', { blobs: failingBlobs(fixture.files.blobs, 'projects/') }),
      await fixture.session(),
    ];
    const { turnId, fence } = await fixture.claim(worker, session);
    await expect(worker.disk.prepare({ session: session.record, project: session.project, fence })).rejects.toThrow(
      'no space left',
    );
    await fixture.settle(turnId, 'failed');
    const { prepared } = await fixture.turn(await fixture.worker('half'), session, null);
    expect(await fixture.act(prepared, 'ls')).toBe('a.txt\n');
    expect(await readdir(fixture.files.path('data', 'half', 'projects'))).toEqual([session.project.id]);
    expect(await readdir(fixture.files.path('data', 'half', 'sessions'))).toEqual([session.record.id]);
  });
});
