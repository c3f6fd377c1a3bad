import { createHmac } from 'node:crypto';
import type { GitWebhook, NewGitWebhook, Project, ProjectGitWebhook, SessionsMessage } from '@chirality/contracts';
import { PullRequestRepository } from '@chirality/database';
import { waitFor } from '@chirality/testing';
import request from 'supertest';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

let api: ApiHarness;
let owner: ApiClient;
let pullRequests: PullRequestRepository;

beforeAll(async () => {
  api = await ApiHarness.start({ env: { CHIRALITY_TRUST_PROXY: '1' } });
  owner = await api.client.login();
  pullRequests = new PullRequestRepository(api.worker.database);
});
afterAll(() => api.stop());

/** One whose files are here, as if they had been fetched. */
async function gitProject(): Promise<Project> {
  const project = await owner.createProject('Engine');
  const source = { kind: 'git', url: 'https://git.example.org/ada/engine' };
  await api.worker.database.pool.query('UPDATE project SET source = $2 WHERE id = $1', [project.id, source]);
  return project;
}
const setUp = async (projectId: string) =>
  (await owner.put(`/v1/projects/${projectId}/git-webhook`, {}).expect(200)).body as NewGitWebhook;
const shown = async (projectId: string) =>
  ((await owner.get(`/v1/projects/${projectId}/git-webhook`).expect(200)).body as ProjectGitWebhook).webhook;
const pathOf = ({ url }: GitWebhook) => new URL(url).pathname;

const FROM_GUESSER = { 'x-forwarded-for': '203.0.113.7' };

/** As GitHub sends it. */
function deliver(webhook: GitWebhook, secret: string, payload: object | string, headers: Record<string, string> = {}) {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return request(api.client.url)
    .post(pathOf(webhook))
    .set({
      'content-type': 'application/json',
      'x-github-event': 'check_run',
      'x-github-delivery': 'one',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      ...headers,
    })
    .send(body);
}

/** A session of the project with an open pull request that was read a moment ago. */
async function openPullRequest(project: Project, number: number): Promise<{ id: string; sessionId: string }> {
  const { id: sessionId } = await owner.createSession(project.id);
  const begun = await pullRequests.begin({
    sessionId,
    teamId: project.teamId,
    wanted: { title: 'T', body: '', head: `topic-${number}`, draft: false, reviewers: [] },
    by: { userId: owner.user.id, name: 'Ada' },
    staleMs: 60_000,
  });
  if (begun.outcome !== 'begun') throw new Error(begun.outcome);
  const url = `https://git.example.org/ada/engine/pulls/${number}`;
  await pullRequests.complete(begun, { kind: 'gitea', number, url, state: 'open', base: 'main' });
  expect(await pullRequests.claimReading(begun.id, 60_000)).toBe(true);
  return { id: begun.id, sessionId };
}

describe('the webhook of a project', () => {
  it('shows its secret once, and refuses what the one before signed', async () => {
    const project = await gitProject();
    expect(await shown(project.id)).toBeNull();
    const first = await setUp(project.id);
    expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const second = await setUp(project.id);
    expect(second.webhook.id).toBe(first.webhook.id);
    expect(second.secret).not.toBe(first.secret);
    expect(JSON.stringify(await shown(project.id))).not.toContain(second.secret);
    const refused = await deliver(first.webhook, first.secret, { number: 1 }).expect(401);
    expect(refused.body).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await shown(project.id))?.lastFailure?.text).toMatch(/secret in force/);
    await deliver(first.webhook, second.secret, { number: 1 }).expect(202, { outcome: 'noted' });
    expect((await shown(project.id))?.lastDelivery).toMatchObject({ host: 'github', event: 'check_run' });
    const audit = (await owner.get('/v1/audit?action=project:git-webhook').expect(200)).body as { data: object[] };
    expect(audit.data.slice(0, 2)).toMatchObject([{ detail: { rotated: true } }, { detail: { rotated: false } }]);
    expect(JSON.stringify(audit)).not.toContain('whsec_');
    await owner.delete(`/v1/projects/${project.id}/git-webhook`).expect(204);
    await deliver(first.webhook, second.secret, { number: 1 }).expect(404);
    await owner.delete(`/v1/projects/${project.id}/git-webhook`).expect(404);
  });

  it('is for those who manage the project, and for projects of a git host', async () => {
    const project = await gitProject();
    const viewer = await owner.invite(project.teamId, 'hook-viewer@example.org', 'member');
    await viewer.get(`/v1/projects/${project.id}/git-webhook`).expect(403);
    await viewer.put(`/v1/projects/${project.id}/git-webhook`, {}).expect(403);
    const empty = await owner.createProject('Empty');
    expect((await owner.put(`/v1/projects/${empty.id}/git-webhook`, {})).body).toMatchObject({ code: 'CONFLICT' });
  });
});

describe('a delivery to a webhook', () => {
  it('has the pull requests that it names read again, once, and tells the pages that show them', async () => {
    const project = await gitProject();
    const { webhook, secret } = await setUp(project.id);
    const { id: one, sessionId } = await openPullRequest(project, 7);
    const { id: two } = await openPullRequest(project, 8);
    const told: string[] = [];
    const socket = owner.socket();
    await new Promise<void>((resolve) => void socket.once('connect', resolve).connect());
    socket.on('sessions', ({ pullRequests: ids = [] }: SessionsMessage) => told.push(...ids));
    const payload = { action: 'completed', check_run: { pull_requests: [{ number: 7 }] } };
    await deliver(webhook, secret, payload).expect(202, { outcome: 'noted' });
    expect(await pullRequests.claimReading(two, 60_000)).toBe(false);
    expect(await pullRequests.claimReading(one, 60_000)).toBe(true);
    await waitFor(async () => told.length > 0, { what: 'the page learns of it' });
    expect(told).toEqual([sessionId]);
    for (const headers of [{}, { 'x-github-delivery': 'two' }])
      await deliver(webhook, secret, payload, headers).expect(202, { outcome: 'repeated' });
    expect(await pullRequests.claimReading(one, 60_000)).toBe(false);
    await deliver(webhook, secret, { ref: 'refs/heads/topic-8' }, { 'x-github-delivery': 'three' }).expect(202);
    expect(await pullRequests.claimReading(two, 60_000)).toBe(true);
    socket.disconnect();
  });

  it('is nothing without a webhook, a signature or a measure', async () => {
    const { webhook, secret } = await setUp((await gitProject()).id);
    for (const id of ['githook_01J0000000000000000000000Z', 'no-id'])
      await request(api.client.url).post(`/v1/git-webhooks/${id}`).send({}).expect(404);
    await request(api.client.url).post(pathOf(webhook)).send({ number: 1 }).expect(401);
    await deliver(webhook, secret, 'x'.repeat(2 * 1024 ** 2 + 1)).expect(413);
    await deliver(webhook, secret, 'no JSON at all').expect(202);
  });

  it('counts for the webhook once it is verified, and for the address that sends it until then', async () => {
    const { webhook, secret } = await setUp((await gitProject()).id);
    const guessed = await Promise.all(
      Array.from({ length: 250 }, () => deliver(webhook, 'whsec_guessed', { number: 1 }, FROM_GUESSER)),
    );
    expect(new Set(guessed.map(({ status }) => status))).toEqual(new Set([401, 429]));
    await deliver(webhook, secret, { number: 2 }, FROM_GUESSER).expect(429);
    await deliver(webhook, secret, { number: 2 }).expect(202);
  });
});
