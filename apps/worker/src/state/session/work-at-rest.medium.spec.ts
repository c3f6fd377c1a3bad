import { readdir } from 'node:fs/promises';
import { SessionPushRepository, UnpushedWorkRepository } from '@chirality/database';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { failingBlobs } from '../../../test/failing-blobs';
import { StateFixture, type FixtureSession } from '../../../test/state-fixture';

jest.setTimeout(120_000);

let fixture: StateFixture;
let work: UnpushedWorkRepository;
beforeAll(async () => {
  fixture = await StateFixture.start();
  work = new UnpushedWorkRepository(fixture.database);
});
afterAll(() => fixture.close());

const unstoredOf = async ({ record }: FixtureSession) =>
  (
    await fixture.database.pool.query<{ unstored_reason: string | null; unstored_since: Date | null }>(
      'SELECT unstored_reason, unstored_since FROM session WHERE id = $1',
      [record.id],
    )
  ).rows[0];

describeAsOrdinaryUser('what exists only in a session', () => {
  it('is recorded with each stored state, and the row alone says it', async () => {
    const [worker, session] = [await fixture.worker('work'), await fixture.session()];
    const { id } = session.record;
    expect(await work.find(id)).toMatchObject({ state: 'known', files: { count: 0 }, commits: { count: 0 }, at: null });
    await fixture.turn(worker, session, 'echo 2 >> a.txt; echo n > n; git add n; git commit -qm "an n"');
    expect(await work.find(id)).toMatchObject({
      state: 'known',
      files: { count: 1, names: ['a.txt'] },
      commits: { count: 1, latest: [{ subject: 'an n' }] },
    });
    await fixture.turn(worker, session, null);
    expect(await work.find(id)).toMatchObject({ state: 'known', files: { count: 1 }, commits: { count: 1 } });
    const running = await fixture.claim(worker, session);
    expect(await work.find(id)).toMatchObject({ state: 'earlier', reason: 'turn_running', files: { count: 1 } });
    await fixture.settle(running.turnId, 'cancelled');
    const commit = (await work.find(id))?.commits?.latest[0]?.commit ?? '';
    const pushes = new SessionPushRepository(fixture.database);
    const { push } = await pushes.begin({ sessionId: id, userId: 'user_1', branch: null, isForced: false }, 60_000);
    const pushed = { branch: 'b', commit, remote: 'https://git.example.org/r' };
    await pushes.complete(push.id, pushed, { teamId: 'team_1', userName: 'Ada' });
    expect(await work.find(id)).toMatchObject({ state: 'known', files: { count: 1 }, commits: { count: 0 } });
  });

  it('is not known after a turn that is stored nowhere', async () => {
    const blobs = failingBlobs(fixture.files.blobs, 'sessions/');
    const [worker, session] = [await fixture.worker('unknown', { blobs }), await fixture.session()];
    await expect(fixture.turn(worker, session, 'echo 1 > one')).rejects.toThrow('no space left');
    expect(await work.find(session.record.id)).toMatchObject({ state: 'unknown', reason: 'not_stored', files: null });
    blobs.heal();
    await worker.disk.storeLeftovers();
    expect(await work.find(session.record.id)).toMatchObject({ state: 'known', files: { count: 1, names: ['one'] } });
  });
});

describeAsOrdinaryUser('work that cannot be stored', () => {
  it('is named in the session, never cleaned up, and there again once it can', async () => {
    const blobs = failingBlobs(fixture.files.blobs, 'sessions/');
    const cacheLimits = { bytes: 0, sessions: 0, freeBytes: Infinity };
    const [worker, session] = [await fixture.worker('full', { blobs, cacheLimits }), await fixture.session()];
    await expect(fixture.turn(worker, session, 'echo 1 > one')).rejects.toThrow('no space left');
    const before = await unstoredOf(session);
    expect(before).toEqual({ unstored_reason: 'failed', unstored_since: expect.any(Date) as Date });
    expect(await worker.disk.storeLeftovers()).toBe(1);
    expect(await unstoredOf(session)).toEqual(before);
    for (let round = 0; round < 3; round += 1) {
      await worker.keeper.tend();
      expect(await worker.cache.evict()).toEqual([]);
    }
    expect(await readdir(fixture.files.path('data', 'full', 'sessions', session.record.id, 'workspace'))).toContain(
      'one',
    );
    blobs.heal();
    await worker.keeper.tend();
    expect(await unstoredOf(session)).toEqual({ unstored_reason: null, unstored_since: null });
    const { prepared } = await fixture.turn(await fixture.worker('full-b'), session, null);
    expect(await fixture.act(prepared, 'cat one')).toBe('1\n');
  });

  it('is named while it is too large, though the conversation is stored', async () => {
    const cacheLimits = { bytes: 0, sessions: 0, freeBytes: Infinity };
    const [worker, session] = [await fixture.worker('large', { cacheLimits }), await fixture.session()];
    await fixture.turn(worker, session, 'truncate -s 300M large');
    expect(await unstoredOf(session)).toMatchObject({ unstored_reason: 'too_large' });
    expect(await work.find(session.record.id)).toMatchObject({ state: 'known', files: { names: ['large'] } });
    expect(await worker.cache.evict()).toEqual([]);
    await fixture.turn(worker, session, 'rm large');
    expect(await unstoredOf(session)).toEqual({ unstored_reason: null, unstored_since: null });
  });
});
