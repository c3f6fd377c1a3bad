import type { PullRequestReading } from '@chirality/contracts';
import {
  buildProject,
  buildSession,
  buildTeam,
  buildUser,
  startTestDatabase,
  type TestDatabase,
} from '@chirality/testing';
import { PullRequestRepository, type AttemptRef } from './pull-request.repository';

const STALE_MS = 60_000;
const OPENED = { kind: 'github', number: 12, url: 'https://github.com/ada/engine/pull/12', base: 'main' } as const;
const READING: PullRequestReading = {
  title: 'Count',
  state: 'merged',
  draft: false,
  checks: [{ name: 'test', status: 'failed', url: null, logTail: 'expected 10\u0000' }],
  reviews: [],
};

describe('a session’s pull request', () => {
  let database: TestDatabase;
  let pullRequests: PullRequestRepository;
  let teamId: string;
  let sessionId: string;
  let by: { userId: string; name: string };

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
    pullRequests = new PullRequestRepository(database);
    teamId = (await buildTeam(database.pool)).id;
    const { id, name } = await buildUser(database.pool, { teamId });
    by = { userId: id, name };
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    const project = await buildProject(database.pool, { teamId, createdById: by.userId });
    sessionId = (await buildSession(database.pool, { teamId, projectId: project.id, ownerId: by.userId })).id;
  });

  const wanted = (title = 'Count') => ({
    title,
    body: 'Why',
    head: 'chirality/count',
    draft: true,
    reviewers: ['ada'],
  });
  const begin = (title?: string, staleMs = STALE_MS) =>
    pullRequests.begin({ sessionId, teamId, wanted: wanted(title), by, staleMs });
  const begun = async (title?: string, staleMs?: number): Promise<AttemptRef> => {
    const outcome = await begin(title, staleMs);
    if (outcome.outcome !== 'begun') throw new Error(outcome.outcome);
    return { id: outcome.id, attempt: outcome.attempt };
  };

  it('is begun once, however many ask side by side', async () => {
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => begin()));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['begun', ...Array<string>(11).fill('opening')]);
    expect(await pullRequests.findOpened(sessionId)).toBeNull();
  });

  it('is what the attempt wanted, once the host has it', async () => {
    const ref = await begun();
    expect(await pullRequests.findAttempt(ref)).toEqual({ sessionId, teamId, userId: by.userId, wanted: wanted() });
    expect(await pullRequests.complete(ref, { ...OPENED, state: 'open' })).toBe(true);
    const audited = await database.pool.query(
      "SELECT user_id, user_name, detail::json AS detail FROM audit_entry WHERE object = $1 AND action = 'session:pull-request'",
      [sessionId],
    );
    expect(audited.rows).toEqual([
      { user_id: by.userId, user_name: by.name, detail: { number: OPENED.number, url: OPENED.url } },
    ]);
    expect(await pullRequests.findAttempt(ref)).toBeNull();
    expect(await pullRequests.findOpened(sessionId)).toEqual({
      id: ref.id,
      ...OPENED,
      title: 'Count',
      state: 'open',
      draft: true,
      head: 'chirality/count',
      openedBy: by,
      notice: null,
      checks: [],
      reviews: [],
      readAt: null,
      readError: null,
    });
    expect(await begin('Other')).toMatchObject({ outcome: 'open', wanted: { title: 'Count', base: 'main' } });
  });

  it('is taken over from an attempt that failed or died, which changes nothing from then on', async () => {
    const first = await begun();
    await pullRequests.fail(first);
    const second = await begun('Second');
    expect(second).toEqual({ id: first.id, attempt: 2 });
    const third = await begun('Third', 0);
    expect(third.attempt).toBe(3);
    expect(await pullRequests.complete(second, { ...OPENED, state: 'open' })).toBe(false);
    await pullRequests.fail(second);
    expect(await pullRequests.findAttempt(third)).toMatchObject({ wanted: { title: 'Third' } });
  });

  it('is there also where the attempt was given up before the host’s answer was stored', async () => {
    const ref = await begun();
    await pullRequests.fail(ref);
    expect(await pullRequests.complete(ref, { ...OPENED, state: 'open' })).toBe(true);
  });

  it('makes room for another one once it is merged or closed', async () => {
    const ref = await begun();
    await pullRequests.complete(ref, { ...OPENED, state: 'open' });
    await pullRequests.keepReading(ref.id, READING);
    const next = await begun('Next');
    expect(next).toEqual({ id: expect.not.stringMatching(ref.id), attempt: 1 });
  });

  it('is read by one at a time, and keeps what was read when the host is away', async () => {
    const ref = await begun();
    await pullRequests.complete(ref, { ...OPENED, state: 'open' });
    const claims = await Promise.all(Array.from({ length: 8 }, () => pullRequests.claimReading(ref.id, 60_000)));
    expect(claims.filter((mine) => mine)).toHaveLength(1);
    expect(await pullRequests.claimReading(ref.id, 0)).toBe(true);
    await pullRequests.releaseReading(ref.id);
    expect(await pullRequests.claimReading(ref.id, 60_000)).toBe(true);
    await pullRequests.keepReading(ref.id, READING);
    await pullRequests.keepReadError(ref.id, 'github.com did not answer in time.');
    expect(await pullRequests.findOpened(sessionId)).toMatchObject({
      ...READING,
      readAt: expect.any(String),
      readError: 'github.com did not answer in time.',
    });
  });
});
