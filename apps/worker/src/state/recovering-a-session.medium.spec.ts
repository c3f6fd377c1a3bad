import { readdir, rm } from 'node:fs/promises';
import { describeAsOrdinaryUser } from '../../test/sandbox-host';
import { failingBlobs } from '../../test/failing-blobs';
import { StateLab } from '../../test/state-lab';

jest.setTimeout(60_000);

let lab: StateLab;
beforeAll(async () => {
  lab = await StateLab.start();
});
afterAll(() => lab.close());

describeAsOrdinaryUser('a session of whose copy a part is gone from the disk', () => {
  it.each(['workspace', 'config', 'snapshot', 'tmp'] as const)(
    'is restored from what is stored when that is %s',
    async (part) => {
      const [worker, session] = [await lab.worker(`gone-${part}`), await lab.session()];
      const { prepared } = await lab.turn(worker, session, 'echo kept > kept.txt');
      await rm(prepared[part], { recursive: true });
      const next = await lab.turn(worker, session, null);
      expect(next.prepared).toMatchObject({ restored: true, notice: null, stateVersion: 1 });
      expect(await lab.act(next.prepared, 'cat kept.txt')).toBe('kept\n');
    },
  );

  it('says what was lost when the last work was stored nowhere else', async () => {
    const [worker, session] = [await lab.worker('gone-unstored'), await lab.session()];
    await lab.turn(worker, session, 'echo kept > kept.txt');
    const { turnId, fence } = await lab.claim(worker, session);
    const prepared = await worker.disk.prepare({ session: session.record, project: session.project, fence });
    await worker.disk.markDirty(session.record.id, { attempt: 1, fence });
    await lab.launched(turnId);
    await lab.settle(turnId, 'failed');
    worker.disk.release(session.record.id, fence);
    await rm(prepared.workspace, { recursive: true });
    const next = await lab.turn(worker, session, null);
    expect(next.prepared).toMatchObject({ restored: true, notice: { code: 'WORKSPACE_RESTORED' } });
  });
});

describeAsOrdinaryUser('a session that moves to another worker', () => {
  it('has its files, its branch and its conversation there', async () => {
    const [a, b, session] = [await lab.worker('move-a'), await lab.worker('move-b'), await lab.session()];
    await lab.turn(
      a,
      session,
      'git checkout -q -b mine; echo two >> a.txt; git commit -qam two; echo n > new; rm -f gone',
    );
    await lab.lose(a);
    const { prepared } = await lab.turn(b, session, null);
    expect(prepared).toMatchObject({
      stateVersion: 1,
      restored: true,
      notice: null,
      claudeSessionId: session.record.claudeSessionId,
    });
    expect(await lab.act(prepared, 'git log --format=%s -1 mine; git status --porcelain; cat a.txt new')).toBe(
      'two\n?? new\none\ntwo\nn\n',
    );
    expect(await lab.act(prepared, lab.conversation(session))).toBe(
      'turn at fence 1\nturn at fence 2\nturn at fence 2\n',
    );
  });

  it('comes back to a worker whose copy is old by then', async () => {
    const [a, b, session] = [await lab.worker('back-a'), await lab.worker('back-b'), await lab.session()];
    await lab.turn(a, session, 'echo 1 > one');
    await lab.turn(b, session, 'echo 2 > two; rm one');
    const { prepared, changes } = await lab.turn(a, session, 'echo 3 > three');
    expect(prepared).toMatchObject({ stateVersion: 2, restored: true, notice: null });
    expect(await lab.act(prepared, 'ls')).toBe('a.txt\nthree\ntwo\n');
    expect(changes?.files.map(({ path }) => path)).toEqual(['three']);
  });

  it('is set back, with a notice for everybody, when its holder is gone with newer work', async () => {
    const [a, b, session] = [await lab.worker('lost-a'), await lab.worker('lost-b'), await lab.session()];
    await lab.turn(a, session, 'echo 1 > one');
    const { turnId, fence } = await lab.claim(a, session);
    const prepared = await a.disk.prepare({ session: session.record, project: session.project, fence });
    await a.disk.markDirty(session.record.id, { attempt: 1, fence });
    await lab.launched(turnId);
    await lab.act(prepared, `echo 2 > two; ${lab.saying(session, 'lost words')}`);
    await lab.settle(turnId, 'lost');
    await lab.lose(a);
    const next = await lab.turn(b, session, null);
    expect(next.prepared).toMatchObject({
      stateVersion: 1,
      restored: true,
      notice: { code: 'WORKSPACE_RESTORED', level: 'warning', messageNote: expect.stringContaining('set back') },
    });
    expect(await lab.act(next.prepared, `ls; ${lab.conversation(session)}`)).not.toContain('lost words');
    expect((await lab.turn(b, session, null)).prepared.notice).toBeNull();
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
    const [a, b, session] = [await lab.worker('shown-a'), await lab.worker('shown-b'), await lab.session()];
    const list = () => b.jobs.handle({ act: 'list-files', sessionId: session.record.id, path: '' });
    const { turnId, fence } = await lab.claim(a, session);
    const prepared = await a.disk.prepare({ session: session.record, project: session.project, fence });
    await a.disk.markDirty(session.record.id, { attempt: 1, fence });
    await lab.launched(turnId);
    await lab.act(prepared, 'echo 1 > one');
    await lab.settle(turnId, 'lost');
    expect(await list()).toMatchObject({
      act: 'refused',
      code: 'WORKSPACE_NOT_STORED',
      detail: expect.stringContaining('Start that worker again'),
    });
    expect(await a.jobs.handle({ act: 'list-files', sessionId: session.record.id, path: '' })).toMatchObject({
      list: { data: [{ path: 'a.txt' }, { path: 'one' }] },
    });
    a.disk.release(session.record.id, fence);
    await lab.turn(a, session, 'echo 2 > two');
    await lab.lose(a);
    expect(await list()).toMatchObject({
      act: 'list-files',
      list: { data: [{ path: 'a.txt' }, { path: 'one' }, { path: 'two' }] },
    });
    expect(
      await b.jobs.handle({ act: 'diff', sessionId: session.record.id, query: { scope: 'session' } }),
    ).toMatchObject({ act: 'diff', diff: { totals: { files: 2 } } });
  });

  it('lets no worker that lost it store over what came after', async () => {
    const [a, b, session] = [await lab.worker('fence-a'), await lab.worker('fence-b'), await lab.session()];
    const { turnId, fence } = await lab.claim(a, session);
    await a.disk.prepare({ session: session.record, project: session.project, fence });
    await a.disk.markDirty(session.record.id, { attempt: 1, fence });
    await lab.launched(turnId);
    await lab.settle(turnId, 'lost');
    const after = await lab.claim(b, session);
    await b.disk.prepare({ session: session.record, project: session.project, fence: after.fence });
    expect(await a.disk.store({ sessionId: session.record.id, fence, mutated: true, claudeSessionId: null })).toEqual({
      stored: false,
      reason: 'superseded',
    });
    expect(await lab.blobsOf(session.record.id)).toEqual([]);
    await expect(a.disk.prepare({ session: session.record, project: session.project, fence })).rejects.toMatchObject({
      code: 'WORKSPACE_UNAVAILABLE',
    });
  });
});

describeAsOrdinaryUser('a worker that dies', () => {
  it('is not named as the cause where the turn failed before its process began', async () => {
    const [worker, session] = [await lab.worker('failed-setup'), await lab.session()];
    await lab.turn(worker, session, 'echo 1 > one');
    const { turnId, fence } = await lab.claim(worker, session);
    const prepared = await worker.disk.prepare({ session: session.record, project: session.project, fence });
    await worker.disk.markDirty(session.record.id, { attempt: 1, fence });
    await lab.act(prepared, 'echo half > set-up');
    await lab.settle(turnId, 'failed');
    worker.disk.release(session.record.id, fence);
    const next = await lab.turn(worker, session, null);
    expect(next.prepared).toMatchObject({ notice: null, restored: false });
    expect(await lab.act(next.prepared, 'cat one set-up')).toBe('1\nhalf\n');
  });

  it('finds what its attempt left when it comes back to the same disk', async () => {
    const [before, session] = [await lab.worker('crash'), await lab.session()];
    await lab.turn(before, session, 'echo 1 > one');
    const { turnId, fence } = await lab.claim(before, session);
    const prepared = await before.disk.prepare({ session: session.record, project: session.project, fence });
    await before.disk.markDirty(session.record.id, { attempt: 1, fence });
    await lab.launched(turnId);
    await lab.act(prepared, `echo 2 > two; touch .git/index.lock; ${lab.saying(session, 'cut off')}`);
    await lab.settle(turnId, 'lost');
    await lab.lose(before);
    const after = await lab.worker('crash');
    const next = await lab.turn(after, session, 'git add -A; git commit -qm works; echo 3 > three');
    expect(next.prepared).toMatchObject({ stateVersion: 1, restored: false, notice: { code: 'WORKSPACE_SALVAGED' } });
    expect(next.changes?.files.map(({ path }) => path)).toEqual(['three']);
    expect(next.stored).toMatchObject({ stored: true, stateVersion: 2 });
    const elsewhere = await lab.turn(await lab.worker('crash-b'), session, null);
    expect(await lab.act(elsewhere.prepared, `ls; ${lab.conversation(session)}`)).toBe(
      'a.txt\none\nthree\ntwo\nturn at fence 1\ncut off\nturn at fence 3\nturn at fence 4\nturn at fence 4\n',
    );
  });

  it('continues with what was settled but not stored, without a notice', async () => {
    const [before, session] = [
      await lab.worker('unstored', { blobs: failingBlobs(lab.files.blobs, 'sessions/') }),
      await lab.session(),
    ];
    await expect(lab.turn(before, session, 'echo 1 > one')).rejects.toThrow('no space left');
    const next = await lab.turn(before, session, null).catch((error: Error) => error.message);
    expect(next).toBe('no space left');
    const after = await lab.worker('unstored');
    const { prepared, stored } = await lab.turn(after, session, null);
    expect(prepared).toMatchObject({ stateVersion: 0, notice: null, restored: false });
    expect(stored).toMatchObject({ stored: true, stateVersion: 1 });
    const elsewhere = await lab.turn(await lab.worker('unstored-b'), session, null);
    expect(await lab.act(elsewhere.prepared, 'ls')).toBe('a.txt\none\n');
  });

  it('stores leftovers while the session rests', async () => {
    const blobs = failingBlobs(lab.files.blobs, 'sessions/');
    const [worker, session] = [await lab.worker('leftover', { blobs }), await lab.session()];
    await expect(lab.turn(worker, session, 'echo 1 > one')).rejects.toThrow('no space left');
    expect(await worker.disk.storeLeftovers()).toBe(1);
    blobs.heal();
    expect(await worker.disk.storeLeftovers()).toBe(0);
    expect(await worker.pointers.read(session.record.id)).toMatchObject({ version: 1 });
    expect(await lab.blobsOf(session.record.id)).toHaveLength(3);
  });

  it('stores at its next start what it had settled and could not store', async () => {
    const [before, session] = [
      await lab.worker('restart', { blobs: failingBlobs(lab.files.blobs, 'sessions/') }),
      await lab.session(),
    ];
    await expect(lab.turn(before, session, 'echo 1 > one')).rejects.toThrow('no space left');
    const after = await lab.worker('restart', { workerId: before.id });
    await after.keeper.tend();
    expect(await after.pointers.read(session.record.id)).toMatchObject({ version: 1, holderWorkerId: before.id });
    const { prepared } = await lab.turn(await lab.worker('restart-b'), session, null);
    expect(prepared).toMatchObject({ restored: true, notice: null, claudeSessionId: session.record.claudeSessionId });
    expect(await lab.act(prepared, `ls; ${lab.conversation(session)}`)).toBe(
      'a.txt\none\nturn at fence 1\nturn at fence 2\nturn at fence 2\n',
    );
  });

  it('finds out that a move whose answer was lost had been made', async () => {
    const [plain, session] = [await lab.worker('answer'), await lab.session()];
    let lose = true;
    const pointers = {
      read: plain.pointers.read.bind(plain.pointers),
      hold: plain.pointers.hold.bind(plain.pointers),
      holdIdle: plain.pointers.holdIdle.bind(plain.pointers),
      markUnstored: plain.pointers.markUnstored.bind(plain.pointers),
      move: async (move: Parameters<typeof plain.pointers.move>[0]) => {
        const moved = await plain.pointers.move(move);
        if (lose) throw new Error('connection lost');
        return moved;
      },
    };
    const worker = { ...(await lab.worker('answer', { pointers, workerId: plain.id })), id: plain.id };
    await expect(lab.turn(worker, session, 'echo 1 > one')).rejects.toThrow('connection lost');
    lose = false;
    expect(await worker.disk.storeLeftovers()).toBe(0);
    const next = await lab.turn(worker, session, null);
    expect(next.prepared).toMatchObject({ stateVersion: 1, restored: false, notice: null });
    expect(next.stored).toMatchObject({ stateVersion: 2 });
  });

  it('leaves nothing half built in the way', async () => {
    const [worker, session] = [
      await lab.worker('half', { blobs: failingBlobs(lab.files.blobs, 'projects/') }),
      await lab.session(),
    ];
    const { turnId, fence } = await lab.claim(worker, session);
    await expect(worker.disk.prepare({ session: session.record, project: session.project, fence })).rejects.toThrow(
      'no space left',
    );
    await lab.settle(turnId, 'failed');
    const { prepared } = await lab.turn(await lab.worker('half'), session, null);
    expect(await lab.act(prepared, 'ls')).toBe('a.txt\n');
    expect(await readdir(lab.files.path('data', 'half', 'projects'))).toEqual([session.project.id]);
    expect(await readdir(lab.files.path('data', 'half', 'sessions'))).toEqual([session.record.id]);
  });
});
