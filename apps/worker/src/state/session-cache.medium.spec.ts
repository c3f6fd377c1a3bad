import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { describeAsOrdinaryUser } from '../../test/sandbox-host';
import { StateLab, type LabSession } from '../../test/state-lab';

jest.setTimeout(180_000);

let lab: StateLab;
beforeAll(async () => {
  lab = await StateLab.start();
});
afterAll(() => lab.close());

async function used(disk: string, { record }: LabSession, secondsAgo: number): Promise<void> {
  const at = new Date(Date.now() - secondsAgo * 1_000);
  await utimes(lab.files.path('data', disk, 'sessions', record.id, 'meta.ndjson'), at, at);
}

const copiesOn = (disk: string) => readdir(lab.files.path('data', disk, 'sessions'));

describeAsOrdinaryUser('the cache of sessions', () => {
  it('lets the least recently used go, and their next turn restores them', async () => {
    const worker = await lab.worker('lru', { cacheLimits: { bytes: Infinity, sessions: 2, freeBytes: 0 } });
    const sessions = [await lab.session(), await lab.session(), await lab.session()] as const;
    for (const session of sessions) await lab.turn(worker, session, 'echo 1 > one');
    await used('lru', sessions[0], 10);
    await used('lru', sessions[1], 30);
    await used('lru', sessions[2], 20);
    expect(await worker.cache.evict()).toEqual([sessions[1].record.id]);
    expect((await copiesOn('lru')).sort()).toEqual([sessions[0].record.id, sessions[2].record.id].sort());
    const { prepared } = await lab.turn(worker, sessions[1], null);
    expect(prepared).toMatchObject({ restored: true, notice: null, stateVersion: 1 });
    expect(await lab.act(prepared, 'ls')).toBe('a.txt\none\n');
  });

  it('counts bytes, ignored files too', async () => {
    const worker = await lab.worker('bytes', { cacheLimits: { bytes: 3_000_000, sessions: 100, freeBytes: 0 } });
    const [large, small] = [await lab.session({ '.gitignore': 'cache\n' }), await lab.session()];
    await lab.turn(worker, large, 'head -c 4000000 /dev/urandom > cache');
    await lab.turn(worker, small, null);
    await used('bytes', large, 10);
    expect(await worker.cache.evict()).toEqual([large.record.id]);
    expect(await worker.cache.evict()).toEqual([]);
  });

  it('makes room on a disk that others fill, with all that may go', async () => {
    const worker = await lab.worker('crowded', {
      cacheLimits: { bytes: Infinity, sessions: Infinity, freeBytes: Infinity },
    });
    const sessions = [await lab.session(), await lab.session()];
    for (const session of sessions) await lab.turn(worker, session, 'echo 1 > one');
    expect((await worker.cache.evict()).sort()).toEqual(sessions.map(({ record }) => record.id).sort());
    expect(await copiesOn('crowded')).toEqual([]);
  });

  it('never lets go what is not stored, in use, or held by a parked process', async () => {
    const worker = await lab.worker('keep', { cacheLimits: { bytes: 0, sessions: 0, freeBytes: 0 } });
    const [running, tooLarge, parked, free] = [
      await lab.session(),
      await lab.session(),
      await lab.session(),
      await lab.session(),
    ];
    const { fence } = await lab.claim(worker, running);
    await worker.disk.prepare({ session: running.record, project: running.project, fence });
    await lab.turn(worker, tooLarge, 'truncate -s 300M large');
    const { prepared } = await lab.turn(worker, parked, null);
    await lab.turn(worker, free, null);
    const { workspace, objects, lockFile } = prepared;
    const process = lab.files.sandbox.spawn({
      profile: 'workspace',
      paths: { workspace, objects, lockFile },
      command: ['/bin/sh', '-c', 'echo up; exec sleep 60'],
    });
    await new Promise((resolve) => process.stdout.once('data', resolve));
    expect(await worker.cache.evict()).toEqual([free.record.id]);
    process.killTree();
    await process.exited;
    expect(await worker.cache.evict()).toEqual([parked.record.id]);
    await lab.settle(
      (await lab.database.pool.query<{ id: string }>('SELECT id FROM turn WHERE session_id = $1', [running.record.id]))
        .rows[0]?.id ?? '',
    );
  });

  it('sweeps what a crash left half built', async () => {
    const worker = await lab.worker('sweep');
    for (const root of ['sessions', 'shared', 'projects']) {
      await mkdir(lab.files.path('data', 'sweep', root, '.build-0a1b', 'workspace'), { recursive: true });
      await writeFile(lab.files.path('data', 'sweep', root, '.build-0a1b', 'workspace', 'x'), 'x');
      await mkdir(lab.files.path('data', 'sweep', root, '.build-now'));
      const yesterday = new Date(Date.now() - 86_400_000);
      await utimes(lab.files.path('data', 'sweep', root, '.build-0a1b'), yesterday, yesterday);
    }
    await worker.cache.sweepUnfinished();
    for (const root of ['sessions', 'shared', 'projects'])
      expect(await readdir(lab.files.path('data', 'sweep', root))).toEqual(['.build-now']);
  });

  it('forgets a session: its copy, its lock and everything that was stored of it', async () => {
    const worker = await lab.worker('forget');
    const [gone, stays] = [await lab.session(), await lab.session()];
    await lab.turn(worker, gone, 'mkdir closed; echo 1 > closed/one; chmod 0 closed');
    await lab.turn(worker, stays, 'echo 1 > one');
    await worker.cache.forget(gone.record.id);
    await worker.close();
    expect(await copiesOn('forget')).toEqual([stays.record.id]);
    expect(await readdir(lab.files.path('data', 'forget', 'locks'))).toEqual([`${stays.record.id}.lock`]);
    expect(await readdir(lab.files.path('data', 'forget', 'trash'))).toEqual([]);
    const stored = await readdir(lab.files.path('data', 'blobs', 'sessions'));
    expect([stored.includes(gone.record.id), stored.includes(stays.record.id)]).toEqual([false, true]);
    await worker.cache.forget(gone.record.id);
  });
});
