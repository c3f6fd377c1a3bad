import { readFileSync } from 'node:fs';
import { GIT_HOST, HostApi, startGitHost, type GitHost as GitServer, type HostApiKind } from '@chirality/testing';
import { networkWithHosts } from '../../egress';
import { HostKinds } from '../call/detect-kind';
import { problemOfHost } from '../call/host-call-error';
import type { HostNetwork } from '../call/host-request';
import { gitHostOpener } from './open-git-host';

let server: GitServer;
let api: HostApi;

beforeAll(async () => {
  server = await startGitHost();
});
afterAll(() => server.close());

function network(): HostNetwork {
  return {
    network: networkWithHosts({ [GIT_HOST]: '127.0.0.1' }),
    authorities: [readFileSync(server.authorities, 'utf8')],
  };
}

function open(token: string | null = api.state.token) {
  const parts = network();
  return gitHostOpener(parts, new HostKinds(parts))(server.url('ada/engine.git'), token === null ? null : { token });
}

const wanted = {
  title: 'Count to ten',
  body: 'So that it does.',
  base: 'main',
  head: 'chirality/count-to-ten-1',
  draft: false,
  reviewers: [],
};
const page = (rest: string) => `${api.state.origin}/ada/engine/${rest}`;

describe.each<HostApiKind>(['github', 'gitlab', 'gitea'])('a host that speaks %s’s API', (kind) => {
  beforeEach(() => {
    api = new HostApi(kind);
    api.state.origin = `https://${GIT_HOST}:${server.port}`;
    server.answerFirst = (request, response) => api.handle(request, response);
  });
  // Of the vendor’s description; GitLab’s is our table of its documentation.
  afterEach(() => expect(api.faults).toEqual([]));

  it('is found out without the credential', async () => {
    expect(await open()).toMatchObject({ kind, name: `${GIT_HOST}:${server.port}` });
    expect(api.tokens.filter((token) => token !== null)).toEqual([]);
  });

  it('opens one, finds it again by its branch, and asks reviewers', async () => {
    const host = await open();
    expect(await host.readOptions()).toMatchObject({
      base: 'main',
      reviewers: [{ name: 'ada' }, { name: 'grace' }],
    });
    expect(await host.findOpen(wanted.head)).toBeNull();
    const opened = await host.open({ ...wanted, reviewers: ['grace'] });
    expect(opened).toEqual({ number: 1, url: page('pull/1'), state: 'open' });
    expect(await host.askReviewers(1, ['grace'])).toEqual([]);
    expect(await host.findOpen(wanted.head)).toEqual(opened);
    expect(api.state.pulls).toMatchObject([{ ...wanted, state: 'open', reviewers: ['grace'] }]);
    expect(new Set(api.tokens)).toEqual(new Set([null, api.state.token]));
  });

  it('says of a reviewer that was not asked, and of a second one of the same branch', async () => {
    const host = await open();
    await host.open(wanted);
    const missing = await host.askReviewers(1, ['nemo']);
    // Gitea’s double takes everyone.
    expect(missing).toEqual(kind === 'gitea' ? [] : ['nemo']);
    const again = await host.open(wanted).catch((error: unknown) => problemOfHost(error));
    expect(again).toMatchObject({ code: 'PULL_REQUEST_FAILED', detail: expect.stringContaining('already exist') });
  });

  it('opens a draft', async () => {
    const host = await open();
    await host.open({ ...wanted, draft: true });
    expect((await host.read(1)).draft).toBe(true);
  });

  it('reads state, checks with the ends of failed logs, and comments with their places', async () => {
    const host = await open();
    await host.open(wanted);
    api.state.checks.push(
      { id: 11, name: 'build', status: 'passed', log: 'fine' },
      { id: 12, name: 'test', status: 'failed', log: 'line 1\n\u001b[31mexpected 10, got 9\u001b[0m\n' },
      { id: 13, name: 'slow', status: 'running', log: '' },
    );
    api.state.comments.push(
      { id: 21, author: 'grace', body: 'Why nine?', path: 'src/count.ts', line: 7 },
      { id: 22, author: 'ada', body: 'Nice\u202e otherwise.' },
    );
    const { checks, reviews, ...facts } = await host.read(1);
    expect(facts).toEqual({ title: 'Count to ten', state: 'open', draft: false });
    expect(checks).toEqual([
      { name: 'build', status: 'passed', url: expect.stringContaining(api.state.origin) },
      {
        name: 'test',
        status: 'failed',
        url: expect.stringContaining(api.state.origin),
        logTail: 'line 1\nexpected 10, got 9',
      },
      { name: 'slow', status: 'running', url: expect.stringContaining(api.state.origin) },
    ]);
    expect(reviews.map(({ id: _, ...review }) => review)).toEqual([
      { author: 'grace', body: 'Why nine?', path: 'src/count.ts', line: 7, state: 'commented' },
      { author: 'ada', body: 'Nice otherwise.', state: 'commented' },
    ]);
  });

  it('reads the checks of one that comes from a fork', async () => {
    const host = await open();
    await host.open(wanted);
    api.state.isFromFork = true;
    api.state.checks.push({ id: 12, name: 'test', status: 'failed', log: 'expected 10, got 9' });
    expect(await host.read(1)).toMatchObject({
      state: 'open',
      checks: [{ name: 'test', status: 'failed', logTail: 'expected 10, got 9' }],
    });
  });

  it('reads that it was merged or closed', async () => {
    const host = await open();
    await host.open(wanted);
    api.state.pulls[0]!.state = 'merged';
    expect((await host.read(1)).state).toBe('merged');
    api.state.pulls[0]!.state = 'closed';
    expect((await host.read(1)).state).toBe('closed');
  });

  it('says that the checks are hidden from the account', async () => {
    const host = await open();
    await host.open(wanted);
    api.state.checks.push({ id: 11, name: 'build', status: 'passed', log: 'fine' });
    api.state.instead = ({ path }: { path: string }) =>
      /check-runs|\/status(?:es)?\b/.test(path) ? { status: 403, body: {} } : null;
    expect(await host.read(1)).toMatchObject({ checks: [], checksAreHidden: true });
  });

  it.each([
    [
      { status: 429, headers: { 'retry-after': '120' } },
      'PULL_REQUEST_FAILED',
      /takes no more requests of this account until \d\d:\d\d UTC/,
    ],
    [{ status: 401, body: { message: 'Bad credentials' } }, 'GIT_AUTH_FAILED', /does not accept the token/],
    [{ status: 404, body: { message: 'Not Found' } }, 'GIT_NOT_FOUND', /no such repository/],
    [{ status: 502, text: '<html>' }, 'GIT_HOST_UNREACHABLE', /failed at this \(502\)/],
    [{ status: 200, body: { surprise: true } }, 'PULL_REQUEST_FAILED', /cannot be read/],
    [
      { status: 422, body: { message: 'No commits between main and host-token-for-tests\u0007' } },
      'PULL_REQUEST_FAILED',
      /It says: “No commits between main and «token»”$/,
    ],
  ] as const)('makes a sentence of %j', async (answer, code, detail) => {
    const host = await open();
    api.state.instead = () => ({ ...answer });
    const problem = await host.open(wanted).catch((error: unknown) => problemOfHost(error));
    expect(problem).toMatchObject({ code, detail: expect.stringMatching(detail) });
  });

  it('is not called after the deadline of the act', async () => {
    const parts = network();
    const late = gitHostOpener(parts, new HostKinds(parts))(server.url('ada/engine.git'), null, AbortSignal.abort());
    const host = await late;
    const problem = await host.open(wanted).catch((error: unknown) => problemOfHost(error));
    expect(problem).toMatchObject({ code: 'GIT_HOST_UNREACHABLE' });
    expect(api.state.pulls).toEqual([]);
  });

  it('refuses an address that no browser should follow', async () => {
    const host = await open();
    api.state.origin = 'javascript:alert(1)//';
    const problem = await host.open(wanted).catch((error: unknown) => problemOfHost(error));
    expect(problem).toMatchObject({ code: 'PULL_REQUEST_FAILED', detail: expect.stringMatching(/cannot be read/) });
  });
});

it('finds the open one of a branch behind short pages of a Gitea', async () => {
  api = new HostApi('gitea');
  api.state.origin = `https://${GIT_HOST}:${server.port}`;
  server.answerFirst = (request, response) => {
    // Its own limit is less than what is asked for.
    request.url = request.url?.replace('limit=50', 'limit=2');
    return api.handle(request, response);
  };
  const host = await open();
  for (const head of ['a', 'b', 'c']) await host.open({ ...wanted, head });
  expect(await host.findOpen('c')).toMatchObject({ number: 3 });
  expect(await host.findOpen('d')).toBeNull();
});

it('reads the logs of jobs where a Gitea gives them out', async () => {
  api = new HostApi('gitea');
  api.state.origin = `https://${GIT_HOST}:${server.port}`;
  api.state.hasJobLogs = true;
  server.answerFirst = (request, response) => api.handle(request, response);
  const host = await open();
  await host.open(wanted);
  api.state.checks.push(
    { id: 11, name: 'build', status: 'passed', log: 'fine' },
    { id: 12, name: 'test', status: 'failed', log: 'expected 10, got 9' },
  );
  const { checks } = await host.read(1);
  expect(checks.map(({ name, logTail = null }) => [name, logTail])).toEqual([
    ['build', null],
    ['test', 'log of test\nexpected 10, got 9'],
  ]);
  expect(api.faults).toEqual([]);
});

it('is no host where none of the APIs answers', async () => {
  server.answerFirst = () => Promise.resolve(false);
  await expect(open('t')).rejects.toMatchObject({ code: 'PULL_REQUEST_FAILED' });
});
