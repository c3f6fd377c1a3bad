import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { StateFixture, type FixtureSession } from '../../../test/state-fixture';

jest.setTimeout(180_000);

let fixture: StateFixture;
beforeAll(async () => {
  fixture = await StateFixture.start();
});
afterAll(() => fixture.close());

async function used(disk: string, { record }: FixtureSession, secondsAgo: number): Promise<void> {
  const at = new Date(Date.now() - secondsAgo * 1_000);
  await utimes(fixture.files.path('data', disk, 'sessions', record.id, 'meta.ndjson'), at, at);
}

const copiesOn = (disk: string) => readdir(fixture.files.path('data', disk, 'sessions'));

describeAsOrdinaryUser('the cache of sessions', () => {
  it('lets the least recently used go, and their next turn restores them', async () => {
    const worker = await fixture.worker('lru', { cacheLimits: { bytes: Infinity, sessions: 2, freeBytes: 0 } });
    const sessions = [await fixture.session(), await fixture.session(), await fixture.session()] as const;
    for (const session of sessions) await fixture.turn(worker, session, 'echo 1 > one');
    await used('lru', sessions[0], 10);
    await used('lru', sessions[1], 30);
    await used('lru', sessions[2], 20);
    expect(await worker.cache.evict()).toEqual([sessions[1].record.id]);
    expect((await copiesOn('lru')).sort()).toEqual([sessions[0].record.id, sessions[2].record.id].sort());
    const { prepared } = await fixture.turn(worker, sessions[1], null);
    expect(prepared).toMatchObject({ restored: true, notice: null, stateVersion: 1 });
    expect(await fixture.act(prepared, 'ls')).toBe('a.txt\none\n');
  });

  it('counts bytes, ignored files too', async () => {
    const worker = await fixture.worker('bytes', { cacheLimits: { bytes: 3_000_000, sessions: 100, freeBytes: 0 } });
    const [large, small] = [await fixture.session({ '.gitignore': 'cache\n' }), await fixture.session()];
    await fixture.turn(worker, large, 'head -c 4000000 /dev/urandom > cache');
    await fixture.turn(worker, small, null);
    await used('bytes', large, 10);
    expect(await worker.cache.evict()).toEqual([large.record.id]);
    expect(await worker.cache.evict()).toEqual([]);
  });

  it('makes room on a disk that others fill, with all that may go', async () => {
    const worker = await fixture.worker('crowded', {
      cacheLimits: { bytes: Infinity, sessions: Infinity, freeBytes: Infinity },
    });
    const sessions = [await fixture.session(), await fixture.session()];
    for (const session of sessions) await fixture.turn(worker, session, 'echo 1 > one');
    expect((await worker.cache.evict()).sort()).toEqual(sessions.map(({ record }) => record.id).sort());
    expect(await copiesOn('crowded')).toEqual([]);
  });

  it('never lets go what is not stored, in use, or held by a parked process', async () => {
    const worker = await fixture.worker('keep', { cacheLimits: { bytes: 0, sessions: 0, freeBytes: 0 } });
    const [running, tooLarge, parked, free] = [
      await fixture.session(),
      await fixture.session(),
      await fixture.session(),
      await fixture.session(),
    ];
    const { fence } = await fixture.claim(worker, running);
    await worker.disk.prepare({ session: running.record, project: running.project, fence });
    await fixture.turn(worker, tooLarge, 'truncate -s 300M large');
    const { prepared } = await fixture.turn(worker, parked, null);
    await fixture.turn(worker, free, null);
    const { workspace, objects, lockFile } = prepared;
    const process = fixture.files.sandbox.spawn({
      profile: 'workspace',
      paths: { workspace, objects, lockFile },
      command: ['/bin/sh', '-c', 'echo up; exec sleep 60'],
    });
    await new Promise((resolve) => process.stdout.once('data', resolve));
    expect(await worker.cache.evict()).toEqual([free.record.id]);
    process.killTree();
    await process.exited;
    expect(await worker.cache.evict()).toEqual([parked.record.id]);
    await fixture.settle(
      (
        await fixture.database.pool.query<{ id: string }>('SELECT id FROM turn WHERE session_id = $1', [
          running.record.id,
        ])
      ).rows[0]?.id ?? '',
    );
  });

  it('sweeps what a crash left half built', async () => {
    const worker = await fixture.worker('sweep');
    for (const root of ['sessions', 'shared', 'projects']) {
      await mkdir(fixture.files.path('data', 'sweep', root, '.build-0a1b', 'workspace'), { recursive: true });
      await writeFile(fixture.files.path('data', 'sweep', root, '.build-0a1b', 'workspace', 'x'), 'x');
      await mkdir(fixture.files.path('data', 'sweep', root, '.build-now'));
      const yesterday = new Date(Date.now() - 86_400_000);
      await utimes(fixture.files.path('data', 'sweep', root, '.build-0a1b'), yesterday, yesterday);
    }
    await worker.cache.sweepUnfinished();
    for (const root of ['sessions', 'shared', 'projects'])
      expect(await readdir(fixture.files.path('data', 'sweep', root))).toEqual(['.build-now']);
  });

  it('forgets a session: its copy, its lock and everything that was stored of it', async () => {
    const worker = await fixture.worker('forget');
    const [gone, stays] = [await fixture.session(), await fixture.session()];
    await fixture.turn(worker, gone, 'mkdir closed; echo 1 > closed/one; chmod 0 closed');
    await fixture.turn(worker, stays, 'echo 1 > one');
    await worker.cache.forget(gone.record.id);
    await worker.close();
    expect(await copiesOn('forget')).toEqual([stays.record.id]);
    expect(await readdir(fixture.files.path('data', 'forget', 'locks'))).toEqual([`${stays.record.id}.lock`]);
    expect(await readdir(fixture.files.path('data', 'forget', 'trash'))).toEqual([]);
    const stored = await readdir(fixture.files.path('data', 'blobs', 'sessions'));
    expect([stored.includes(gone.record.id), stored.includes(stays.record.id)]).toEqual([false, true]);
    await worker.cache.forget(gone.record.id);
  });

  it('removes what was deleted and is gone for good, and nothing else', async () => {
    const worker = await fixture.worker('purged');
    const [purged, deleted] = [await fixture.session(), await fixture.session()];
    for (const session of [purged, deleted]) await fixture.turn(worker, session, 'echo 1 > one');
    const mark = (column: string, { record }: FixtureSession) =>
      fixture.database.pool.query(`UPDATE session SET ${column} = now() WHERE id = $1`, [record.id]);
    await mark('deleted_at', deleted);
    await mark('purged_at', purged);
    await fixture.database.pool.query('UPDATE project SET purged_at = now() WHERE id = $1', [purged.project.id]);
    expect(await worker.cache.forgetPurged()).toBe(2);
    expect(await copiesOn('purged')).toEqual([deleted.record.id]);
    expect(await readdir(fixture.files.path('data', 'purged', 'projects'))).toEqual([deleted.project.id]);
    expect(await worker.cache.forgetPurged()).toBe(0);
  });
});
