import { ProblemError, type Logger } from '@chirality/platform';
import { HostCallError } from '../git-host/call/host-call-error';
import type { GitHost, PullRequestOfHost } from '../git-host/client/git-host.types';
import { PullRequestActs, type HostAccounts } from './pull-request-acts';

const OPENED: PullRequestOfHost = { number: 3, url: 'https://git.example.org/p/3', state: 'open' };
const READING = { title: 'T', state: 'open', draft: false, checks: [], reviews: [] } as const;
const JOB = { act: 'open-pull-request', teamId: 'team', sessionId: 's', pullRequestId: 'p', attempt: 2 } as const;
const NEVER = new AbortController().signal;
const KNOWN_CHECKS = [
  { name: 'lint', status: 'running', url: null },
  { name: 'test', status: 'failed', url: null },
] as const;
const refusal = (status: number) =>
  new HostCallError('git.example.org', { kind: 'status', status, words: 'no', retryAt: null });

function actsAt(host: Partial<GitHost>, { token = 't', reviewers = [] as string[], looks = Infinity } = {}) {
  let looked = 0;
  const done: string[] = [];
  const attempt = {
    sessionId: 's',
    teamId: 'team',
    userId: 'ada',
    wanted: { title: 'T', body: 'B', head: 'h', draft: false, reviewers },
  };
  const credential = token === '' ? null : { token };
  const accounts: HostAccounts = {
    act: (act, run) => (done.push(`as ${act.userId}`), run(credential)),
    look: (act, run) => (done.push(`look as ${act.userId}`), run(credential)),
  };
  const acts = new PullRequestActs({
    pullRequests: {
      findAttempt: async () => (++looked > looks ? null : attempt),
      complete: async (ref, { number, base }) => (done.push(`complete ${ref.attempt} #${number} ${base}`), true),
      keepNotice: async (_id, notice) => void done.push(notice),
      fail: async ({ attempt: number }) => void done.push(`fail ${number}`),
      findOpened: async () => ({ id: 'p', number: 3, checks: KNOWN_CHECKS }) as never,
      keepReading: async (_id, { checks }) =>
        void done.push(['read', ...checks.map(({ name, status }) => `${name} ${status}`)].join(' ')),
      releaseReading: async () => void done.push('release'),
      keepReadError: async (_id, detail) => void done.push(detail),
    },
    sessions: { find: async () => ({ id: 's', teamId: 'team', projectId: 'project' }) as never },
    projects: {
      find: async () => ({ id: 'project', source: { kind: 'git', url: 'https://git.example.org/a/b' } }) as never,
    },
    accounts,
    openHost: async () => ({
      kind: 'github',
      name: 'git.example.org',
      readOptions: async () => ({ base: 'main', reviewers: [] }),
      findOpen: async () => null,
      open: async () => (done.push('open'), OPENED),
      askReviewers: async () => [],
      read: async () => ({ ...READING, checks: [], reviews: [] }),
      ...host,
    }),
    onOpened: () => undefined,
    log: { warn: () => undefined } as unknown as Logger,
  });
  return { acts, done };
}

describe('opening a pull request', () => {
  it('is done as the person of the attempt, and stored before it is answered', async () => {
    const { acts, done } = actsAt({});
    expect(await acts.act(JOB, NEVER)).toEqual({ act: 'open-pull-request', opened: OPENED });
    expect(done).toEqual(['as ada', 'open', 'complete 2 #3 main']);
  });

  it('takes the open one of the branch: an earlier attempt came so far', async () => {
    const { acts, done } = actsAt({ findOpen: async () => OPENED });
    const { opened } = (await acts.act(JOB, NEVER)) as { opened: { notice?: string } };
    expect(opened.notice).toMatch(/had an open pull request already/);
    expect(done).toEqual(['as ada', 'complete 2 #3 main', expect.stringMatching(/had an open pull request already/)]);
  });

  it('takes the one that another attempt opened meanwhile', async () => {
    const found = [null, OPENED];
    const { acts, done } = actsAt({
      findOpen: async () => found.shift() ?? null,
      open: () => Promise.reject(refusal(422)),
    });
    await acts.act(JOB, NEVER);
    expect(done).toContain('complete 2 #3 main');
  });

  it('is over at once where the host refuses it', async () => {
    const { acts, done } = actsAt({ open: () => Promise.reject(refusal(422)) });
    await expect(acts.act(JOB, NEVER)).rejects.toMatchObject({ code: 'PULL_REQUEST_FAILED' });
    expect(done).toEqual(['as ada', 'fail 2']);
  });

  it('may have happened where the host did not answer: the next attempt looks, later', async () => {
    const { acts, done } = actsAt({
      open: () => Promise.reject(new HostCallError('git.example.org', { kind: 'timeout' })),
    });
    await expect(acts.act(JOB, NEVER)).rejects.toMatchObject({ code: 'GIT_HOST_UNREACHABLE' });
    expect(done).toEqual(['as ada']);
  });

  it('is left to the attempt that took over meanwhile', async () => {
    const { acts, done } = actsAt({}, { looks: 1 });
    await expect(acts.act(JOB, NEVER)).rejects.toMatchObject({ code: 'PULL_REQUEST_FAILED' });
    expect(done).not.toContain('open');
  });

  it('is not tried without an account', async () => {
    const { acts, done } = actsAt({}, { token: '' });
    await expect(acts.act(JOB, NEVER)).rejects.toMatchObject({ code: 'GIT_AUTH_FAILED' });
    expect(done).toEqual(['as ada', 'fail 2']);
  });

  it('stands although reviewers could not be asked', async () => {
    const { acts } = actsAt({ askReviewers: () => Promise.reject(refusal(500)) }, { reviewers: ['grace'] });
    expect(await acts.act(JOB, NEVER)).toMatchObject({
      opened: { number: 3, notice: expect.stringContaining('grace') },
    });
  });
});

describe('reading a pull request', () => {
  const job = { act: 'read-pull-request', teamId: 'team', sessionId: 's', pullRequestId: 'p', userId: 'ada' } as const;
  const limited = { kind: 'status', status: 403, words: 'no', retryAt: new Date() } as const;

  it.each([
    [refusal(502), /failed at this/],
    [new HostCallError('git.example.org', { kind: 'timeout' }), /did not answer in time/],
    [new HostCallError('git.example.org', limited), /takes no more requests/],
  ])('keeps for all why it failed: %s', async (error, detail) => {
    const { acts, done } = actsAt({ read: () => Promise.reject(error) });
    await expect(acts.act(job, NEVER)).rejects.toBeInstanceOf(ProblemError);
    expect(done).toEqual(['look as ada', expect.stringMatching(detail)]);
  });

  it.each([401, 403, 404])('leaves it to the next reader where this account gets %i', async (status) => {
    const { acts, done } = actsAt({ read: () => Promise.reject(refusal(status)) });
    await expect(acts.act(job, NEVER)).rejects.toBeInstanceOf(ProblemError);
    expect(done).toEqual(['look as ada', 'release']);
  });

  it('keeps the checks that this account is not shown', async () => {
    const checks = [{ name: 'lint', status: 'passed' as const, url: null }];
    const less = actsAt({ read: async () => ({ ...READING, checks, reviews: [], checksAreHidden: true }) });
    await less.acts.act(job, NEVER);
    expect(less.done).toEqual(['look as ada', 'read lint passed test failed']);
    const all = actsAt({ read: async () => ({ ...READING, checks, reviews: [] }) });
    await all.acts.act(job, NEVER);
    expect(all.done).toEqual(['look as ada', 'read lint passed']);
  });
});
