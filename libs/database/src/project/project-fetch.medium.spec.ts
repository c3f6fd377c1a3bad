import type { ProjectSource } from '@chirality/contracts';
import { buildTeam, buildUser, buildWorker, flakyPool, startTestDatabase, type TestDatabase } from '@chirality/testing';
import type { WorkerLife } from '../worker/lease';
import { ProjectFetchRepository, settleOrphanedFetches } from './project-fetch.repository';
import { ProjectRepository } from './project.repository';

const GIT: ProjectSource = { kind: 'git', url: 'https://git.example.org/r' };

describe('who fetches a project’s files', () => {
  let database: TestDatabase;
  let fetches: ProjectFetchRepository;
  let projects: ProjectRepository;
  let worker: WorkerLife;
  let teamId: string;
  let createdById: string;

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
    fetches = new ProjectFetchRepository(database);
    projects = new ProjectRepository(database);
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.pool.query('DELETE FROM project');
    teamId = (await buildTeam(database.pool)).id;
    createdById = (await buildUser(database.pool, { teamId })).id;
    worker = await buildWorker(database.pool);
  });

  const make = (source: ProjectSource = GIT, team = teamId) =>
    projects.create({ teamId: team, name: 'P', source, createdById });
  /** Known are all fetches, as to a worker that heard of each. */
  const claim = async (claimer: WorkerLife = worker) => {
    const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM project');
    const claimed = await fetches.claimNext(claimer, { running: rows.map(({ id }) => id) });
    if (!claimed) throw new Error('nothing waits');
    return { ...claimed, ref: { projectId: claimed.projectId, workerId: claimer.id, attempt: claimed.attempt } };
  };
  const stateOf = async (id: string) => (await projects.find(id))?.sourceState;

  it('only what comes over the network waits, and each is given to one worker alone', async () => {
    expect((await make({ kind: 'empty' })).sourceState.status).toBe('ready');
    const ids = (await Promise.all([make(), make(), make()])).map(({ id }) => id);
    const claimers = await Promise.all(Array.from({ length: 12 }, () => buildWorker(database.pool)));
    const claimed = await Promise.all(claimers.map((claimer) => fetches.claimNext(claimer, { running: [] })));
    expect(claimed.flatMap((one) => (one ? [one.projectId] : [])).sort()).toEqual(ids.sort());
  });

  it('a team with much to fetch does not keep another one waiting', async () => {
    await make();
    await make();
    const other = (await buildTeam(database.pool)).id;
    const late = await make(GIT, other);
    expect((await claim()).teamId).toBe(teamId);
    expect((await claim()).projectId).toBe(late.id);
  });

  it('a worker without a good lease, or that is about to end, is given nothing', async () => {
    await make();
    const expired = await buildWorker(database.pool, { leaseMs: -1 });
    expect(await fetches.claimNext(expired, { running: [] })).toBeNull();
    await database.pool.query('UPDATE worker SET draining = true WHERE id = $1', [worker.id]);
    expect(await fetches.claimNext(worker, { running: [] })).toBeNull();
  });

  it('a fetch whose claim was not answered comes again to the same life of the worker, and to the next life of it never', async () => {
    const { id } = await make();
    const pool = flakyPool(database.pool, () => 'lost-after');
    await expect(new ProjectFetchRepository({ pool }).claimNext(worker, { running: [] })).rejects.toThrow(
      'Connection terminated',
    );
    expect(await fetches.claimNext({ ...worker, life: 'another' }, { running: [] })).toBeNull();
    expect(await settleOrphanedFetches(database.pool)).toEqual([]);
    expect(await fetches.claimNext(worker, { running: [] })).toMatchObject({ projectId: id });
    expect(await fetches.claimNext(worker, { running: [id] })).toBeNull();
    await database.pool.query(`UPDATE worker SET life = 'another' WHERE id = $1`, [worker.id]);
    expect(await fetches.claimNext(worker, { running: [] })).toBeNull();
    expect(await settleOrphanedFetches(database.pool)).toEqual([id]);
  });

  it('what a worker says counts while the fetch is its own: not after it was given up, and not for an archived project', async () => {
    const { id } = await make();
    const { ref } = await claim();
    const progress = { phase: 'receiving' as const, percent: 40, bytes: 1_000 };
    expect(await fetches.report(ref, progress)).toBe(true);
    expect(await stateOf(id)).toMatchObject({ status: 'fetching', progress });
    await database.pool.query('UPDATE worker SET stopped_at = now() WHERE id = $1', [worker.id]);
    expect(await settleOrphanedFetches(database.pool)).toEqual([id]);
    expect(await settleOrphanedFetches(database.pool)).toEqual([]);
    const successor = await buildWorker(database.pool);
    const next = await claim(successor);
    expect(next.attempt).toBe(2);
    expect([
      await fetches.report(ref, progress),
      await fetches.complete(ref, 'old'),
      await fetches.fail(ref, { code: 'SOURCE_FAILED', detail: 'x' }),
    ]).toEqual([false, false, false]);
    expect(await fetches.complete(next.ref, 'new')).toBe(true);
    expect(await projects.find(id)).toMatchObject({
      bundleKey: 'new',
      sourceState: { status: 'ready', progress: null, error: null },
    });
    const archived = await make();
    const last = await claim(successor);
    await projects.archive(archived.id);
    expect(await fetches.complete(last.ref, 'late')).toBe(false);
  });

  it('one that killed two workers has failed until a user retries it', async () => {
    const { id } = await make();
    for (const status of ['waiting', 'failed']) {
      const { ref } = await claim(await buildWorker(database.pool));
      await database.pool.query(`UPDATE worker SET life = 'the next one' WHERE id = $1`, [ref.workerId]);
      await settleOrphanedFetches(database.pool);
      expect((await stateOf(id))?.status).toBe(status);
    }
    expect(await stateOf(id)).toMatchObject({ error: { code: 'WORKER_LOST' } });
    expect([await fetches.retry(id, 'user_2'), await fetches.retry(id, 'user_3')]).toEqual([true, false]);
    expect(await stateOf(id)).toMatchObject({ status: 'waiting', error: null });
    const { ref } = await claim();
    await fetches.giveBack(ref);
    expect((await claim()).attempt).toBe(ref.attempt + 1);
  });

  it('what a person stopped is nothing that its worker can still finish, and can be started again', async () => {
    const { id } = await make();
    expect(await fetches.stop(id, 'Ada stopped it.')).toBe(true);
    expect(await stateOf(id)).toMatchObject({ status: 'failed', error: { code: 'SOURCE_STOPPED' } });
    expect([await fetches.stop(id, 'Bob stopped it.'), await fetches.claimNext(worker, { running: [] })]).toEqual([
      false,
      null,
    ]);
    await fetches.retry(id, createdById);
    const { ref } = await claim();
    expect(await fetches.stop(id, 'Bob stopped it.')).toBe(true);
    expect([
      await fetches.report(ref, { phase: 'storing', percent: null, bytes: null }),
      await fetches.complete(ref, 'late'),
      await fetches.fail(ref, { code: 'SOURCE_FAILED', detail: 'x' }),
    ]).toEqual([false, false, false]);
    expect(await stateOf(id)).toMatchObject({ progress: null, error: { detail: 'Bob stopped it.' } });
    await fetches.retry(id, createdById);
    expect(await fetches.complete((await claim()).ref, 'new')).toBe(true);
  });

  it('a failure is kept with its sentence, whatever the other side made it say', async () => {
    const { id } = await make();
    await fetches.fail((await claim()).ref, { code: 'SOURCE_FAILED', detail: 'said \0 so' });
    expect(await stateOf(id)).toMatchObject({ status: 'failed', error: { code: 'SOURCE_FAILED' } });
    await database.pool.query('UPDATE worker SET stopped_at = now() WHERE id = $1', [worker.id]);
    expect(await settleOrphanedFetches(database.pool)).toEqual([]);
  });
});
