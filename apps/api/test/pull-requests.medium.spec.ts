import type { PullRequest, PullRequestReading, Session, WorkspaceJob, WorkspaceReply } from '@chirality/contracts';
import { PullRequestRepository } from '@chirality/database';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

const URL = 'https://git.example.org/ada/engine/pull/12';
const READING: PullRequestReading = {
  title: 'Count to ten',
  state: 'open',
  draft: false,
  checks: [
    { name: 'test', status: 'failed', url: 'https://ci.example.org/1', logTail: 'expected 10, got 9' },
    { name: 'build', status: 'passed', url: null },
  ],
  reviews: [
    { id: 'line-1', author: 'grace', path: 'src/count.ts', line: 7, body: 'Why nine?', state: 'commented' },
    { id: 'comment-2', author: 'ada', body: 'Nice.', state: 'commented' },
  ],
};
const ORDER = { title: 'Count to ten', body: 'So that it does.', head: 'chirality/count-1', base: 'main' };

let api: ApiHarness;
let owner: ApiClient;
let session: Session;
let pullRequests: PullRequestRepository;
let serving: { close(): Promise<void> };
/** What the worker, which is this test, was asked, and does. */
let jobs: WorkspaceJob[] = [];
let reply: (job: WorkspaceJob) => Promise<WorkspaceReply>;

beforeAll(async () => {
  api = await ApiHarness.start();
  owner = await api.client.login();
  pullRequests = new PullRequestRepository(api.worker.database);
  serving = api.worker.messaging.serveWorkspaceJobs(api.worker.id, (job) => {
    jobs.push(job);
    return reply(job);
  });
});
afterAll(async () => {
  await serving.close();
  await api.stop();
});
beforeEach(async () => {
  session = await owner.createSession((await owner.createProject()).id);
  jobs = [];
  reply = work;
});

/** As a worker does it: the row before the answer. */
async function work(job: WorkspaceJob): Promise<WorkspaceReply> {
  switch (job.act) {
    case 'pull-request-options':
      return {
        act: job.act,
        options: {
          host: 'git.example.org',
          kind: 'gitea',
          base: 'main',
          reviewers: [{ name: 'grace', displayName: null }],
        },
      };
    case 'open-pull-request': {
      const facts = { number: 12, url: URL, state: 'open' } as const;
      await pullRequests.complete(
        { id: job.pullRequestId, attempt: job.attempt },
        { kind: 'gitea', base: 'main', ...facts },
      );
      return { act: job.act, opened: facts };
    }
    case 'read-pull-request':
      await pullRequests.keepReading(job.pullRequestId, READING);
      return { act: job.act };
    default:
      return { act: 'refused', code: 'VALIDATION_FAILED', detail: 'No other act is asked for here.' };
  }
}

const path = (rest = '') => `/v1/sessions/${session.id}/pull-request${rest}`;
const opened = () => owner.post(path(), ORDER).expect(201);
const acts = () => jobs.map(({ act }) => act);

describe('a session’s pull request', () => {
  it('is opened in the name of who asks, and audited', async () => {
    expect((await owner.get(path('/options')).expect(200)).body).toMatchObject({ base: 'main', head: null });
    expect((await opened()).body).toEqual({ number: 12, url: URL, state: 'open' });
    expect(jobs[0]).toMatchObject({ act: 'pull-request-options', userId: owner.user.id });
    const { data } = (await owner.get('/v1/audit?action=session:pull-request').expect(200)).body as { data: object[] };
    expect(data[0]).toMatchObject({ object: session.id, detail: { number: 12, url: URL } });
  });

  it('is opened once by two presses, and not again with other words', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let asked: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (asked = resolve));
    reply = async (job) => {
      asked();
      await held;
      return work(job);
    };
    const first = opened().then((response) => response.body as object);
    await arrived;
    const second = (await owner.post(path(), ORDER).expect(409)).body as { code: string; detail: string };
    expect(second).toMatchObject({ code: 'CONFLICT', detail: expect.stringContaining('began to open it') });
    release();
    expect(await first).toMatchObject({ number: 12 });
    expect((await opened()).body).toEqual({ number: 12, url: URL, state: 'open' });
    await owner.post(path(), { ...ORDER, title: 'Other' }).expect(409);
    expect(acts()).toEqual(['open-pull-request']);
  });

  it('is taken up where the api died after the host’s answer', async () => {
    const begun = await pullRequests.begin({
      sessionId: session.id,
      teamId: session.teamId,
      wanted: { ...ORDER, draft: false, reviewers: [] },
      by: { userId: owner.user.id, name: 'Owner' },
      staleMs: 60_000,
    });
    if (begun.outcome !== 'begun') throw new Error(begun.outcome);
    const { id: pullRequestId, attempt } = begun;
    const { id: sessionId, teamId } = session;
    await work({ act: 'open-pull-request', teamId, sessionId, pullRequestId, attempt });
    expect((await opened()).body).toEqual({ number: 12, url: URL, state: 'open' });
    expect(acts()).toEqual([]);
  });

  it('needs a branch at the host, and branches with names', async () => {
    expect((await owner.post(path(), { title: 'T' }).expect(409)).body).toMatchObject({ code: 'GIT_NOTHING_TO_PUSH' });
    for (const member of ['head', 'base'])
      expect((await owner.post(path(), { ...ORDER, [member]: '--force ..' }).expect(400)).body).toMatchObject({
        errors: [{ path: member }],
      });
    expect(acts()).toEqual([]);
  });

  it('says why the host refused it', async () => {
    reply = async () => ({ act: 'refused', code: 'GIT_AUTH_FAILED', detail: 'git.example.org does not accept it.' });
    expect((await owner.post(path(), ORDER).expect(422)).body).toMatchObject({
      code: 'GIT_AUTH_FAILED',
      detail: 'git.example.org does not accept it.',
    });
  });

  it('is not there before it was opened', async () => {
    expect((await owner.get(path()).expect(404)).body).toMatchObject({ code: 'NOT_FOUND' });
    await owner.post(path('/send'), { checks: ['test'] }).expect(404);
  });

  it('is read from the host once a minute, however many look', async () => {
    await opened();
    const all = await Promise.all(Array.from({ length: 5 }, () => owner.get(path()).expect(200)));
    expect(all.map(({ body }) => (body as PullRequest).number)).toEqual([12, 12, 12, 12, 12]);
    const seen = (await owner.get(path()).expect(200)).body as PullRequest;
    expect(seen).toMatchObject({ ...READING, url: URL, kind: 'gitea', readError: null });
    expect(seen).not.toHaveProperty('id');
    expect(acts()).toEqual(['open-pull-request', 'read-pull-request']);
  });

  it('stays as it was read when the host is away', async () => {
    await opened();
    reply = async () => ({ act: 'refused', code: 'GIT_HOST_UNREACHABLE', detail: 'It did not answer.' });
    expect((await owner.get(path()).expect(200)).body).toMatchObject({ number: 12, state: 'open', checks: [] });
  });

  it('says to the person alone that the host does not show it to their account', async () => {
    await opened();
    reply = async (job) => {
      if (job.act === 'read-pull-request') await pullRequests.releaseReading(job.pullRequestId);
      return { act: 'refused', code: 'GIT_NOT_FOUND', detail: 'It shows no such repository.' };
    };
    const refused = (await owner.get(path()).expect(200)).body as PullRequest;
    expect(refused).toMatchObject({ number: 12, readError: 'It shows no such repository.' });
    reply = work;
    expect((await owner.get(path()).expect(200)).body).toMatchObject({ ...READING, readError: null });
  });
});

describe('sending a pull request’s feedback to Claude', () => {
  beforeEach(async () => {
    await opened();
    await owner.get(path()).expect(200);
  });
  afterEach(async () => {
    await owner.post(`/v1/sessions/${session.id}/interrupt`).expect(202);
  });

  const chosen = { checks: ['test'], reviews: ['line-1'] };
  type Sent = { turn: { id: string; message: string } };

  it('is one turn that quotes what was chosen as untrusted', async () => {
    const { turn } = (await owner.post(path('/send'), chosen).expect(202)).body as Sent;
    expect(turn.message).toContain('Pull request #12');
    expect(turn.message).toContain('test failed, the end of its log:\nexpected 10, got 9');
    expect(turn.message).toContain('grace, comment on src/count.ts:7:\nWhy nine?');
    expect(turn.message.match(/<untrusted-report/g)).toHaveLength(2);
    expect(turn.message).not.toContain('Nice.');
  });

  it('is sent once with one key, also where the log has grown since', async () => {
    const send = (body: object) => owner.post(path('/send'), body).set('idempotency-key', 'one');
    const first = ((await send(chosen).expect(202)).body as Sent).turn;
    const known = await pullRequests.findOpened(session.id);
    await pullRequests.keepReading(known!.id, {
      ...READING,
      checks: READING.checks.map((check) => ({ ...check, logTail: 'more' })),
    });
    expect(((await send(chosen).expect(202)).body as Sent).turn.id).toBe(first.id);
    await send({ checks: ['build'] }).expect(422);
    await owner.post(path('/send'), chosen).expect(409);
  });

  it.each([{}, { checks: [] }, { checks: ['unknown'] }, { reviews: ['line-9'] }])('refuses %j', async (body) => {
    expect((await owner.post(path('/send'), body).expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
