import type { ProjectSource } from '@chirality/contracts';
import { buildTeam, buildUser, buildWorker, startTestDatabase, type TestDatabase } from '@chirality/testing';
import type { WorkerLife } from '../worker/lease';
import { ProjectRefreshRepository, settleOrphanedRefreshes } from './project-refresh.repository';
import { ProjectRepository } from './project.repository';

const GIT: ProjectSource = { kind: 'git', url: 'https://git.example.org/r' };
const NEW = { bundleKey: 'new', branch: 'main', baseCommit: 'c2', note: null };

describe('who asks a project’s remote for newer commits', () => {
  let database: TestDatabase;
  let refreshes: ProjectRefreshRepository;
  let projects: ProjectRepository;
  let worker: WorkerLife;
  let teamId: string;
  let userId: string;

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
    refreshes = new ProjectRefreshRepository(database);
    projects = new ProjectRepository(database);
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.pool.query('DELETE FROM project');
    teamId = (await buildTeam(database.pool)).id;
    userId = (await buildUser(database.pool, { teamId })).id;
    worker = await buildWorker(database.pool);
  });

  const make = async (source: ProjectSource = GIT) => {
    const { id } = await projects.create({ teamId, name: 'P', source, createdById: userId });
    await database.pool.query(
      "UPDATE project SET source_status = 'ready', bundle_key = 'old', base_commit = 'c1', base_branch = 'main' WHERE id = $1",
      [id],
    );
    return id;
  };
  const claim = async (claimer: WorkerLife = worker) => {
    const claimed = await refreshes.claimNext(claimer, { running: [] });
    if (!claimed) throw new Error('nothing waits');
    return { ...claimed, ref: { projectId: claimed.projectId, workerId: claimer.id, attempt: claimed.attempt } };
  };
  const stateOf = async (id: string) => (await projects.find(id))?.refresh;

  it('is asked for once however often it is pressed, and given to one worker', async () => {
    const id = await make();
    const asked = await Promise.all(Array.from({ length: 8 }, () => refreshes.ask(id, userId)));
    expect(asked.filter(Boolean)).toHaveLength(1);
    const claimers = await Promise.all(Array.from({ length: 6 }, () => buildWorker(database.pool)));
    const claimed = await Promise.all(claimers.map((one) => refreshes.claimNext(one, { running: [] })));
    expect(claimed.flatMap((one) => (one ? [one] : []))).toEqual([
      expect.objectContaining({ projectId: id, userId, attempt: 1, bundleKey: 'old', replacedBundleKey: null }),
    ]);
    expect(await refreshes.ask(id, userId)).toBe(false);
  });

  it('can be stopped, which keeps the files, and asked for again', async () => {
    const id = await make();
    expect(await refreshes.stop(id, 'Ada stopped the refresh.')).toBe(false);
    await refreshes.ask(id, userId);
    const { ref } = await claim();
    expect(await refreshes.stop(id, 'Ada stopped the refresh.')).toBe(true);
    expect(await refreshes.report(ref, { phase: 'storing', percent: null, bytes: null })).toBe(false);
    expect(await refreshes.complete(ref, 'old', NEW)).toBe(false);
    expect(await projects.find(id)).toMatchObject({
      bundleKey: 'old',
      baseCommit: 'c1',
      refresh: { status: 'failed', error: { code: 'GIT_STOPPED', detail: 'Ada stopped the refresh.' } },
    });
    expect(await refreshes.ask(id, userId)).toBe(true);
    expect(await refreshes.complete((await claim()).ref, 'old', NEW)).toBe(true);
  });

  it('leaves room for other teams', async () => {
    const [first, second, third] = [await make(), await make(), await make()];
    const ofOthers = await make();
    const other = (await buildTeam(database.pool)).id;
    await database.pool.query('UPDATE project SET team_id = $2 WHERE id = $1', [ofOthers, other]);
    for (const id of [first, second, third, ofOthers]) await refreshes.ask(id, userId);
    const running: { projectId: string; teamId: string }[] = [];
    for (let next = await refreshes.claimNext(worker, { running }); next;) {
      running.push({ projectId: next.projectId, teamId: next.teamId });
      next = await refreshes.claimNext(worker, { running });
    }
    expect(running.map(({ projectId }) => projectId)).toEqual([first, ofOthers, second]);
    expect(await refreshes.claimNext(worker, { running: running.slice(1) })).toMatchObject({ projectId: first });
  });

  it('is nothing for a project without a remote, without files, or that is archived', async () => {
    const empty = await make({ kind: 'empty' });
    const fetching = (await projects.create({ teamId, name: 'P', source: GIT, createdById: userId })).id;
    const archived = await make();
    await projects.archive(archived);
    expect(await Promise.all([empty, fetching, archived].map((id) => refreshes.ask(id, userId)))).toEqual([
      false,
      false,
      false,
    ]);
    expect(await stateOf(empty)).toBeNull();
  });

  it('says by how many commits the remote is ahead, also when they did not come, until they have', async () => {
    const id = await make();
    await refreshes.ask(id, userId);
    const { ref } = await claim();
    const at = { phase: 'receiving' as const, percent: 1, bytes: 9 };
    const remote = { commit: 'd'.repeat(40), behind: null };
    await refreshes.report(ref, { ...at, remote });
    expect(await projects.find(id)).toMatchObject({ behind: null, refresh: { remote: { ...remote } } });
    await refreshes.report(ref, { ...at, remote: { ...remote, behind: 3 } });
    await refreshes.report(ref, { ...at, remote });
    await refreshes.report(ref, at);
    await refreshes.fail(ref, { code: 'GIT_HOST_UNREACHABLE', detail: 'Away.' });
    const seen = { behind: 3, refresh: { status: 'failed', remote: { ...remote, behind: 3 } } };
    expect(await projects.find(id)).toMatchObject(seen);
    await refreshes.ask(id, userId);
    const next = await claim();
    expect(await projects.find(id)).toMatchObject({ behind: 3, refresh: { status: 'running' } });
    await refreshes.report(next.ref, { ...at, remote: { commit: 'e'.repeat(40), behind: null } });
    expect(await projects.find(id)).toMatchObject({ behind: null, refresh: { remote: { commit: 'e'.repeat(40) } } });
    await refreshes.complete(next.ref, 'old', NEW);
    expect(await projects.find(id)).toMatchObject({ behind: 0, refresh: { remote: null } });
  });

  it('leaves the project usable with its old files until the last statement', async () => {
    const id = await make();
    await refreshes.ask(id, userId);
    const { ref } = await claim();
    expect(await refreshes.report(ref, { phase: 'receiving', percent: 40, bytes: 9 })).toBe(true);
    expect(await projects.find(id)).toMatchObject({
      sourceState: { status: 'ready' },
      bundleKey: 'old',
      baseCommit: 'c1',
      behind: null,
      refresh: { status: 'running', progress: { percent: 40 }, refreshedAt: null },
    });
    expect(await refreshes.complete(ref, 'old', NEW)).toBe(true);
    expect(await projects.find(id)).toMatchObject({
      bundleKey: 'new',
      baseCommit: 'c2',
      behind: 0,
      refresh: { status: 'idle', progress: null, error: null, refreshedAt: expect.any(String) as string },
    });
    await refreshes.ask(id, userId);
    const next = await claim();
    expect(next.replacedBundleKey).toBe('old');
    expect(await refreshes.complete(next.ref, 'new', { ...NEW, bundleKey: null, note: 'Rewritten.' })).toBe(true);
    expect(await projects.find(id)).toMatchObject({ bundleKey: 'new', refresh: { note: 'Rewritten.' } });
  });

  it('keeps old files and a sentence when it fails, until it is asked for again', async () => {
    const id = await make();
    await refreshes.ask(id, userId);
    const error = { code: 'GIT_REMOTE_GONE' as const, detail: 'It is gone.' };
    expect(await refreshes.fail((await claim()).ref, { ...error, detail: 'It is\0 gone.' })).toBe(true);
    expect(await projects.find(id)).toMatchObject({
      sourceState: { status: 'ready' },
      bundleKey: 'old',
      refresh: { status: 'failed', error: { code: error.code } },
    });
    expect(await refreshes.ask(id, userId)).toBe(true);
    expect(await stateOf(id)).toMatchObject({ status: 'waiting', error: null });
  });

  it('counts for nothing once another attempt, another bundle or the archive came first', async () => {
    const id = await make();
    await refreshes.ask(id, userId);
    const { ref } = await claim();
    expect(await refreshes.complete(ref, 'another', NEW)).toBe(false);
    await database.pool.query(`UPDATE worker SET life = 'the next one' WHERE id = $1`, [worker.id]);
    expect(await settleOrphanedRefreshes(database.pool)).toEqual([id]);
    const next = await claim(await buildWorker(database.pool));
    expect(next.attempt).toBe(2);
    expect([
      await refreshes.report(ref, { phase: 'storing', percent: null, bytes: null }),
      await refreshes.complete(ref, 'old', NEW),
    ]).toEqual([false, false]);
    await projects.archive(id);
    expect(await refreshes.complete(next.ref, 'old', NEW)).toBe(false);
    expect((await projects.find(id))?.bundleKey).toBe('old');
  });

  it('has failed once it took two workers down, and waits again when a worker ends in order', async () => {
    const id = await make();
    await refreshes.ask(id, userId);
    for (const status of ['waiting', 'failed']) {
      const { ref } = await claim(await buildWorker(database.pool));
      await database.pool.query(`UPDATE worker SET stopped_at = now() WHERE id = $1`, [ref.workerId]);
      await settleOrphanedRefreshes(database.pool);
      expect(await stateOf(id)).toMatchObject({ status });
    }
    expect(await stateOf(id)).toMatchObject({ error: { code: 'WORKER_LOST' } });
    await refreshes.ask(id, userId);
    const { ref } = await claim();
    await refreshes.giveBack(ref);
    expect((await claim()).attempt).toBe(ref.attempt + 1);
  });

  it('learns what a bundle holds where that is not known', async () => {
    const id = await make();
    await database.pool.query('UPDATE project SET base_commit = NULL, base_branch = NULL WHERE id = $1', [id]);
    await refreshes.recordBase(id, 'another', { branch: 'x', baseCommit: 'x' });
    await refreshes.recordBase(id, 'old', { branch: 'trunk', baseCommit: 'c0' });
    await refreshes.recordBase(id, 'old', { branch: 'late', baseCommit: 'c9' });
    expect(await projects.find(id)).toMatchObject({ baseBranch: 'trunk', baseCommit: 'c0' });
  });
});
