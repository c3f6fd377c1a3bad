import { readdir, rm, stat } from 'node:fs/promises';
import type { BlobStore } from '@chirality/platform';
import { describeAsOrdinaryUser } from '../../test/sandbox-host';
import { StateLab } from './testing/state-lab';

jest.setTimeout(60_000);

let lab: StateLab;
beforeAll(async () => {
  lab = await StateLab.start();
});
afterAll(() => lab.close());

async function blobsOf(sessionId: string): Promise<string[]> {
  const root = lab.files.path('data', 'blobs', 'sessions', sessionId);
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath.slice(root.length + 1)}/${entry.name}`.replace(/\/[0-9a-f]{24}\//, '/*/')).sort();
}

describeAsOrdinaryUser('a session on one worker', () => {
  it('starts at the project’s base commit and goes on where it was', async () => {
    const [worker, session] = [await lab.worker('one'), await lab.session()];
    const first = await lab.turn(worker, session, 'echo two >> a.txt');
    expect(first.prepared).toMatchObject({ stateVersion: 0, claudeSessionId: null, restored: false, notice: null, branch: `chirality/${session.record.id}` });
    expect(first.changes).toMatchObject({ files: [{ path: 'a.txt', status: 'modified', additions: 1, deletions: 0 }], additions: 1, deletions: 0 });
    expect(first.stored).toMatchObject({ stored: true, stateVersion: 1, workspaceTooLarge: false });
    const second = await lab.turn(worker, session, 'echo three >> a.txt; echo n > n');
    expect(second.prepared).toMatchObject({ stateVersion: 1, claudeSessionId: session.record.claudeSessionId, restored: false, notice: null });
    expect(second.changes?.files.map(({ path, additions }) => [path, additions])).toEqual([['a.txt', 1], ['n', 1]]);
    expect(await worker.pointers.read(session.record.id)).toEqual({ version: 2, key: second.stored.stored && second.stored.key, holderWorkerId: worker.id, lastRunFence: second.fence });
  });

  it('is private to the worker’s user', async () => {
    const [worker, session] = [await lab.worker('private'), await lab.session()];
    const { prepared } = await lab.turn(worker, session, null);
    for (const path of [prepared.dir, prepared.workspace, prepared.config, prepared.tmp, prepared.snapshot]) expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it('stores nothing of the workspace when no tool that can change files had started', async () => {
    const [worker, session] = [await lab.worker('two'), await lab.session()];
    await lab.turn(worker, session, null);
    expect(await blobsOf(session.record.id)).toEqual(['1/*/state.json', '1/*/transcript.tar.gz']);
    await lab.turn(worker, session, 'echo 2 > two');
    await lab.turn(worker, session, null);
    expect(await blobsOf(session.record.id)).toEqual(['2/*/state.json', '2/*/transcript.tar.gz', '2/*/workspace.tar.gz', '3/*/state.json', '3/*/transcript.tar.gz']);
  });

  it('keeps the last two states and what they need of older ones', async () => {
    const [worker, session] = [await lab.worker('three'), await lab.session()];
    await lab.turn(worker, session, 'echo 1 > one');
    for (let turn = 0; turn < 4; turn += 1) await lab.turn(worker, session, null);
    expect(await blobsOf(session.record.id)).toEqual(['1/*/workspace.tar.gz', '4/*/state.json', '4/*/transcript.tar.gz', '5/*/state.json', '5/*/transcript.tar.gz']);
    await lab.turn(worker, session, 'echo 2 > two');
    await lab.turn(worker, session, null);
    expect(await blobsOf(session.record.id)).toEqual(['6/*/state.json', '6/*/transcript.tar.gz', '6/*/workspace.tar.gz', '7/*/state.json', '7/*/transcript.tar.gz']);
  });

  it('says so when the files are too large to be stored, and stores them once they are not', async () => {
    const [worker, session] = [await lab.worker('four'), await lab.session()];
    const large = await lab.turn(worker, session, 'truncate -s 300M large; echo 1 > small');
    expect(large.stored).toMatchObject({ stored: true, workspaceTooLarge: true });
    const elsewhere = await (await lab.worker('four-b')).jobs.handle({ act: 'list-files', sessionId: session.record.id, path: '' });
    expect(elsewhere).toMatchObject({ list: { data: [{ path: 'a.txt' }] } });
    const small = await lab.turn(worker, session, 'rm large');
    expect(small.stored).toMatchObject({ stored: true, workspaceTooLarge: false });
  });
});

describeAsOrdinaryUser('a session of whose copy a part is gone from the disk', () => {
  it.each(['workspace', 'config', 'snapshot', 'tmp'] as const)('is restored from what is stored when that is %s', async (part) => {
    const [worker, session] = [await lab.worker(`gone-${part}`), await lab.session()];
    const { prepared } = await lab.turn(worker, session, 'echo kept > kept.txt');
    await rm(prepared[part], { recursive: true });
    const next = await lab.turn(worker, session, null);
    expect(next.prepared).toMatchObject({ restored: true, notice: null, stateVersion: 1 });
    expect(await lab.act(next.prepared, 'cat kept.txt')).toBe('kept\n');
  });

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
    await lab.turn(a, session, 'git checkout -q -b mine; echo two >> a.txt; git commit -qam two; echo n > new; rm -f gone');
    await lab.lose(a);
    const { prepared } = await lab.turn(b, session, null);
    expect(prepared).toMatchObject({ stateVersion: 1, restored: true, notice: null, claudeSessionId: session.record.claudeSessionId });
    expect(await lab.act(prepared, 'git log --format=%s -1 mine; git status --porcelain; cat a.txt new')).toBe('two\n?? new\none\ntwo\nn\n');
    expect(await lab.act(prepared, lab.conversation(session))).toBe('turn at fence 1\nturn at fence 2\nturn at fence 2\n');
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

  it('is set back, and everybody is told, when its holder is gone with newer work', async () => {
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
    expect(next.prepared).toMatchObject({ stateVersion: 1, restored: true, notice: { code: 'WORKSPACE_RESTORED', level: 'warning', messageNote: expect.stringContaining('set back') } });
    expect(await lab.act(next.prepared, `ls; ${lab.conversation(session)}`)).not.toContain('lost words');
    expect((await lab.turn(b, session, null)).prepared.notice).toBeNull();
    expect(await a.disk.store({ sessionId: session.record.id, fence, mutated: true, claudeSessionId: session.record.claudeSessionId })).toEqual({ stored: false, reason: 'superseded' });
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
    expect(await list()).toMatchObject({ act: 'refused', code: 'WORKSPACE_NOT_STORED', detail: expect.stringContaining('Start that worker again') });
    expect(await a.jobs.handle({ act: 'list-files', sessionId: session.record.id, path: '' })).toMatchObject({ list: { data: [{ path: 'a.txt' }, { path: 'one' }] } });
    a.disk.release(session.record.id, fence);
    await lab.turn(a, session, 'echo 2 > two');
    await lab.lose(a);
    expect(await list()).toMatchObject({ act: 'list-files', list: { data: [{ path: 'a.txt' }, { path: 'one' }, { path: 'two' }] } });
    expect(await b.jobs.handle({ act: 'diff', sessionId: session.record.id, query: { scope: 'session' } })).toMatchObject({ act: 'diff', diff: { totals: { files: 2 } } });
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
    expect(await a.disk.store({ sessionId: session.record.id, fence, mutated: true, claudeSessionId: null })).toEqual({ stored: false, reason: 'superseded' });
    expect(await blobsOf(session.record.id)).toEqual([]);
    await expect(a.disk.prepare({ session: session.record, project: session.project, fence })).rejects.toMatchObject({ code: 'WORKSPACE_UNAVAILABLE' });
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
    expect(await lab.act(elsewhere.prepared, `ls; ${lab.conversation(session)}`)).toBe('a.txt\none\nthree\ntwo\nturn at fence 1\ncut off\nturn at fence 3\nturn at fence 4\nturn at fence 4\n');
  });

  it('goes on with what was settled but not stored, without a notice', async () => {
    const [before, session] = [await lab.worker('unstored', { blobs: failing(lab.files.blobs, 'sessions/') }), await lab.session()];
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
    const blobs = failing(lab.files.blobs, 'sessions/');
    const [worker, session] = [await lab.worker('leftover', { blobs }), await lab.session()];
    await expect(lab.turn(worker, session, 'echo 1 > one')).rejects.toThrow('no space left');
    expect(await worker.disk.storeLeftovers()).toBe(1);
    blobs.heal();
    expect(await worker.disk.storeLeftovers()).toBe(0);
    expect(await worker.pointers.read(session.record.id)).toMatchObject({ version: 1 });
    expect(await blobsOf(session.record.id)).toHaveLength(3);
  });

  it('stores at its next start what it had settled and could not store', async () => {
    const [before, session] = [await lab.worker('restart', { blobs: failing(lab.files.blobs, 'sessions/') }), await lab.session()];
    await expect(lab.turn(before, session, 'echo 1 > one')).rejects.toThrow('no space left');
    const after = await lab.worker('restart', { workerId: before.id });
    await after.keeper.tend();
    expect(await after.pointers.read(session.record.id)).toMatchObject({ version: 1, holderWorkerId: before.id });
    const { prepared } = await lab.turn(await lab.worker('restart-b'), session, null);
    expect(prepared).toMatchObject({ restored: true, notice: null, claudeSessionId: session.record.claudeSessionId });
    expect(await lab.act(prepared, `ls; ${lab.conversation(session)}`)).toBe('a.txt\none\nturn at fence 1\nturn at fence 2\nturn at fence 2\n');
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
    const [worker, session] = [await lab.worker('half', { blobs: failing(lab.files.blobs, 'projects/') }), await lab.session()];
    const { turnId, fence } = await lab.claim(worker, session);
    await expect(worker.disk.prepare({ session: session.record, project: session.project, fence })).rejects.toThrow('no space left');
    await lab.settle(turnId, 'failed');
    const { prepared } = await lab.turn(await lab.worker('half'), session, null);
    expect(await lab.act(prepared, 'ls')).toBe('a.txt\n');
    expect(await readdir(lab.files.path('data', 'half', 'projects'))).toEqual([session.project.id]);
    expect(await readdir(lab.files.path('data', 'half', 'sessions'))).toEqual([session.record.id]);
  });
});

describeAsOrdinaryUser('a session at rest', () => {
  const ready = (worker: Awaited<ReturnType<StateLab['worker']>>, { record, project }: Awaited<ReturnType<StateLab['session']>>) =>
    worker.disk.whileIdle({ session: record, project }, async (prepared) => lab.act(prepared, 'ls'));

  it('is made ready ahead of a turn, which then finds it as it is', async () => {
    const [worker, session] = [await lab.worker('ahead'), await lab.session()];
    expect(await ready(worker, session)).toBe('a.txt\n');
    const first = await lab.turn(worker, session, 'echo 1 > one');
    expect(first.prepared).toMatchObject({ restored: false, notice: null, stateVersion: 0 });
    expect(await ready(worker, session)).toBe('a.txt\none\n');
    expect((await lab.turn(worker, session, null)).prepared).toMatchObject({ restored: false, notice: null, stateVersion: 1 });
  });

  it('is left to its next turn when that has to tell people something, and while a turn is live or another worker has it', async () => {
    const [a, b, session] = [await lab.worker('ahead-a'), await lab.worker('ahead-b'), await lab.session()];
    await lab.turn(a, session, 'echo 1 > one');
    expect(await ready(b, session)).toBeNull();
    const { turnId } = await lab.claim(a, session);
    expect(await ready(a, session)).toBeNull();
    await lab.settle(turnId);
    await lab.lose(a);
    // What b would have to restore first, it restores for a turn.
    expect(await ready(b, session)).toBeNull();
    expect((await lab.turn(b, session, null)).prepared).toMatchObject({ restored: true });
  });
});

describeAsOrdinaryUser('turns that follow each other closely', () => {
  it('lets the next turn begin before the last one was stored, and stores both', async () => {
    const [worker, session] = [await lab.worker('close'), await lab.session()];
    const first = await lab.claim(worker, session);
    const prepared = await worker.disk.prepare({ session: session.record, project: session.project, fence: first.fence });
    await worker.disk.markDirty(session.record.id, { attempt: 1, fence: first.fence });
    await lab.launched(first.turnId);
    await lab.act(prepared, 'echo 1 > one');
    await worker.disk.summariseChanges(session.record.id);
    await lab.settle(first.turnId);
    const second = await lab.claim(worker, session);
    const again = await worker.disk.prepare({ session: session.record, project: session.project, fence: second.fence });
    expect(again.notice).toBeNull();
    await worker.disk.markDirty(session.record.id, { attempt: 1, fence: second.fence });
    expect(await worker.disk.store({ sessionId: session.record.id, fence: first.fence, mutated: true, claudeSessionId: null })).toEqual({ stored: false, reason: 'overtaken' });
    await lab.settle(second.turnId);
    expect(await worker.disk.store({ sessionId: session.record.id, fence: second.fence, mutated: false, claudeSessionId: null })).toMatchObject({ stored: true, stateVersion: 1 });
    const elsewhere = await lab.turn(await lab.worker('close-b'), session, null);
    expect(await lab.act(elsewhere.prepared, 'ls')).toBe('a.txt\none\n');
  });

  it('looks at the files again only after an attempt that did not end in good order', async () => {
    let sandboxes = 0;
    const counted = <T extends (...args: never[]) => unknown>(act: T) => ((...args: never[]) => ((sandboxes += 1), act(...args))) as unknown as T;
    const { spawn, run } = lab.files.sandbox;
    const worker = await lab.worker('kept', { sandbox: { spawn: counted(spawn.bind(lab.files.sandbox)), run: counted(run.bind(lab.files.sandbox)) } });
    const session = await lab.session();
    const begin = async () => {
      const { turnId, fence } = await lab.claim(worker, session);
      const pointer = await worker.pointers.read(session.record.id);
      const before = sandboxes;
      const { notice } = await worker.disk.prepare({ session: session.record, project: session.project, fence, ...(pointer ? { claimed: pointer } : {}) });
      await worker.disk.markDirty(session.record.id, { attempt: 1, fence });
      await lab.settle(turnId);
      return { fence, notice, looked: sandboxes > before };
    };
    const first = await begin();
    worker.disk.keep(session.record.id, first.fence);
    const second = await begin();
    expect(second).toMatchObject({ notice: null, looked: false });
    // Nobody says of the second that it ended in good order.
    const third = await begin();
    expect(third).toMatchObject({ notice: null, looked: true });
    worker.disk.keep(session.record.id, third.fence);
    expect(await worker.disk.store({ sessionId: session.record.id, fence: third.fence, mutated: false, claudeSessionId: null })).toMatchObject({ stored: true, stateVersion: 1 });
    expect(await begin()).toMatchObject({ notice: null, looked: false });
  });

  it('refuses to replace a copy in which a process still works', async () => {
    const [a, b, session] = [await lab.worker('held-a'), await lab.worker('held-b'), await lab.session()];
    const { prepared } = await lab.turn(a, session, 'echo 1 > one');
    await lab.turn(b, session, 'echo 2 > two');
    const { workspace, objects, lockFile } = prepared;
    const stray = lab.files.sandbox.spawn({ profile: 'workspace', paths: { workspace, objects, lockFile }, command: ['/bin/sh', '-c', 'echo up; exec sleep 60'] });
    await new Promise((resolve) => stray.stdout.once('data', resolve));
    const { fence } = await lab.claim(a, session);
    await expect(a.disk.prepare({ session: session.record, project: session.project, fence })).rejects.toMatchObject({ code: 'TURN_IN_PROGRESS' });
    stray.killTree();
    await stray.exited;
    await expect(a.disk.prepare({ session: session.record, project: session.project, fence })).resolves.toMatchObject({ restored: true, stateVersion: 2 });
  });
});

describeAsOrdinaryUser('a shared workspace', () => {
  it('is one for all its sessions, each with its own conversation, used by one at a time', async () => {
    const worker = await lab.worker('shared');
    const one = await lab.session({ 'a.txt': 'one\n' }, 'shared');
    const two = await lab.sessionOf(one.project, 'shared');
    const first = await lab.turn(worker, one, 'echo 1 > one');
    const second = await lab.turn(worker, two, 'echo 2 > two');
    expect(second.prepared.workspace).toBe(first.prepared.workspace);
    expect(second.prepared.lockFile).toBe(first.prepared.lockFile);
    expect(second.prepared.config).not.toBe(first.prepared.config);
    expect(second.prepared).toMatchObject({ branch: 'chirality/shared', claudeSessionId: null });
    expect(second.changes?.files.map(({ path }) => path)).toEqual(['two']);
    expect(await lab.act(second.prepared, 'ls')).toBe('a.txt\none\ntwo\n');
    const { workspace, objects, lockFile } = first.prepared;
    const running = lab.files.sandbox.spawn({ profile: 'workspace', paths: { workspace, objects, lockFile }, command: ['/bin/sh', '-c', 'echo up; exec sleep 60'] });
    await new Promise((resolve) => running.stdout.once('data', resolve));
    await expect(lab.act(second.prepared, 'true')).rejects.toMatchObject({ code: 'TURN_IN_PROGRESS' });
    running.killTree();
    await running.exited;
  });
});

/** A blob store that takes nothing under a prefix until it heals. */
function failing(blobs: BlobStore, prefix: string): BlobStore & { heal(): void } {
  let full = true;
  return {
    put: async (key, content) => {
      if (!full || !key.startsWith(prefix)) return blobs.put(key, content);
      if (!Buffer.isBuffer(content)) content.resume();
      throw new Error('no space left');
    },
    get: (key) => blobs.get(key),
    delete: (prefix) => blobs.delete(prefix),
    exists: (key) => blobs.exists(key),
    heal: () => {
      full = false;
    },
  };
}
