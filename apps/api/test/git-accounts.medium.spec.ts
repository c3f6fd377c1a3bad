import { createHash } from 'node:crypto';
import type {
  AuditEntry,
  GitAccount,
  GitAccountList,
  GitHostKeyList,
  Page,
  SavedGitAccount,
  Team,
  WorkspaceJob,
} from '@chirality/contracts';
import { GitAccountRepository, GitHostKeyRepository } from '@chirality/database';
import { gitAccountSealOf } from '@chirality/domain';
import { SecretBox } from '@chirality/platform';
import { parsePrivateKey } from 'sshpk';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

const SECRET = createHash('sha256').update('of this test').digest('hex');
const TOKEN = 'glpat-t0ken-0123456789abcdef';
const HOST = 'git.example.org';
const URL_THERE = `https://${HOST}/team/repo.git`;
const HOST_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFxR3fluXU9UW/xMkwiODDsQUSn/ycs1SqaPaJ+WLUTl';

describe('git accounts', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let viewer: ApiClient;
  let team: Team;
  let accounts: GitAccountRepository;
  const box = new SecretBox(Buffer.from(SECRET, 'hex'));

  beforeAll(async () => {
    api = await ApiHarness.start({
      env: { CHIRALITY_SECRET_KEY: SECRET, CHIRALITY_PRIVATE_HOSTS: 'gitlab, 10.0.0.0/8' },
    });
    owner = await api.client.login();
    team = await owner.team();
    member = await owner.invite(team.id, 'member@example.org', 'member');
    viewer = await owner.invite(team.id, 'viewer@example.org', 'viewer');
    accounts = new GitAccountRepository(api.worker.database);
  });
  afterAll(() => api.stop());

  const list = async (who: ApiClient) => ((await who.get('/v1/git-accounts').expect(200)).body as GitAccountList).data;
  const add = async (who: ApiClient, body: object) =>
    (await who.post('/v1/git-accounts', { scope: 'user', kind: 'token', host: HOST, ...body }).expect(201))
      .body as GitAccount;
  const clear = async (who: ApiClient) => {
    for (const { id } of await list(who)) await who.delete(`/v1/git-accounts/${id}`).expect(204);
  };
  const forAct = (userId: string, host = HOST, kind: 'token' | 'ssh' = 'token') =>
    accounts.findForAct({ teamId: team.id, userId, host, kind });
  const audited = async (action: string) =>
    ((await owner.get(`/v1/audit?teamId=${team.id}&action=${action}`).expect(200)).body as Page<AuditEntry>).data;

  it('are one’s own, or the team’s, which owners and admins add', async () => {
    await member.post('/v1/git-accounts', { scope: 'team', host: HOST, kind: 'token', secret: TOKEN }).expect(403);
    const mine = await add(member, { host: `https://GIT.example.org:443/`, username: 'ada', secret: ` ${TOKEN} ` });
    expect(mine).toEqual({
      id: mine.id,
      scope: 'user',
      teamId: null,
      host: HOST,
      kind: 'token',
      username: 'ada',
      createdBy: { userId: member.user.id, name: member.user.name },
      createdAt: mine.createdAt,
      lastUsedAt: null,
      lastError: null,
    });
    const ofTeam = await add(owner, { scope: 'team', secret: `${TOKEN}-team` });
    expect([await list(member), await list(owner), await list(viewer)]).toEqual([[mine, ofTeam], [ofTeam], []]);
    await owner.get(`/v1/git-accounts?teamId=${team.id}`).expect(200);
    await viewer.get(`/v1/git-accounts?teamId=${team.id}`).expect(403);
    await owner.delete(`/v1/git-accounts/${mine.id}`).expect(404);
    await owner.post(`/v1/git-accounts/${mine.id}/test`, { url: URL_THERE }).expect(404);
    await member.delete(`/v1/git-accounts/${ofTeam.id}`).expect(403);
  });

  it('are chosen in order: the acting user’s, the team’s, none; never another user’s', async () => {
    expect(await forAct(member.user.id)).toMatchObject({ scope: 'user', username: 'ada' });
    expect(await forAct(owner.user.id)).toMatchObject({ scope: 'team' });
    expect(await forAct(viewer.user.id)).toBeNull();
    expect(await forAct(member.user.id, 'other.example.org')).toBeNull();
    expect(await forAct(member.user.id, HOST, 'ssh')).toBeNull();
    const elsewhere = (await owner.post('/v1/teams', { name: 'Elsewhere' }).expect(201)).body as Team;
    const of = (userId: string) => accounts.findForAct({ teamId: elsewhere.id, userId, host: HOST, kind: 'token' });
    expect([await of(owner.user.id), await of(member.user.id)]).toEqual([null, null]);
  });

  it('are sealed for their owner and id, and a new token takes the old one’s place', async () => {
    const found = await forAct(member.user.id);
    expect(
      box.open(found?.sealed ?? Buffer.alloc(0), gitAccountSealOf(member.user.id, found?.id ?? '')).toString(),
    ).toBe(TOKEN);
    expect(() => box.open(found?.sealed ?? Buffer.alloc(0), gitAccountSealOf(team.id, found?.id ?? ''))).toThrow();
    const after = await add(member, { secret: `${TOKEN}-new` });
    expect((await list(member)).filter(({ scope }) => scope === 'user')).toEqual([after]);
    const { rows } = await api.worker.database.pool.query<{ sealed: number; all: number }>(
      'SELECT count(sealed)::int AS sealed, count(*)::int AS all FROM git_account WHERE user_id = $1',
      [member.user.id],
    );
    expect(rows[0]).toEqual({ sealed: 1, all: 2 });
  });

  it('of the kind ssh have a pair of keys that is made here, of which the private half is answered nowhere', async () => {
    const { body, text } = await member
      .post('/v1/git-accounts', { scope: 'user', host: `${HOST}:2222`, kind: 'ssh' })
      .expect(201);
    const account = body as GitAccount;
    expect(account).toMatchObject({
      host: `${HOST}:2222`,
      publicKey: expect.stringMatching(/^ssh-ed25519 AAAA\S+ chirality@git\.example\.org-2222$/) as string,
      fingerprint: expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/) as string,
    });
    const found = await forAct(member.user.id, `${HOST}:2222`, 'ssh');
    const secret = box.open(found?.sealed ?? Buffer.alloc(0), gitAccountSealOf(member.user.id, account.id)).toString();
    expect(secret).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----\n/);
    expect(parsePrivateKey(secret, 'openssh').fingerprint('sha256').toString()).toBe(account.fingerprint);
    expect(text).not.toContain(secret.split('\n')[2]);
    const again = await member.post('/v1/git-accounts', { scope: 'user', host: `${HOST}:2222`, kind: 'ssh' });
    expect([again.status, (again.body as { code: string }).code]).toEqual([409, 'CONFLICT']);
    await member
      .post('/v1/git-accounts', { scope: 'user', host: HOST, kind: 'ssh', secret: 'a key of theirs' })
      .expect(400);
  });

  it.each([
    [{ host: 'https://git.example.org/team' }, 'host'],
    [{ host: 'localhost' }, 'host'],
    [{ host: '192.168.1.1' }, 'host'],
    [{ host: 'user@git.example.org' }, 'host'],
    [{ secret: 'two\nlines-of-secret' }, 'secret'],
    [{ secret: '' }, 'secret'],
    [{ username: 'a:b', secret: TOKEN }, 'username'],
  ])('say what is wrong with %j, without quoting a secret', async (wrong, path) => {
    const { body, text } = await member
      .post('/v1/git-accounts', { scope: 'user', kind: 'token', host: HOST, secret: TOKEN, ...wrong })
      .expect(400);
    expect((body as { errors: { path: string }[] }).errors.map((one) => one.path)).toEqual([path]);
    expect(text).not.toMatch(/glpat-|lines-of-secret/);
  });

  it('may be for private hosts that the operator lists', async () => {
    expect((await add(member, { host: 'gitlab', secret: TOKEN })).host).toBe('gitlab');
    expect((await add(member, { host: '10.1.2.3:8443', secret: TOKEN })).host).toBe('10.1.2.3:8443');
  });

  it('are tested by a worker, at their own host alone', async () => {
    const asked: WorkspaceJob[] = [];
    const serving = api.worker.messaging.serveWorkspaceJobs(api.worker.id, async (job) => {
      asked.push(job);
      return { act: 'list-branches', branches: { branches: ['main', 'ä/ö'], defaultBranch: 'main' } };
    });
    const [mine, ofTeam] = [
      (await list(member)).find(({ scope, host }) => scope === 'user' && host === HOST),
      (await list(member)).find(({ scope }) => scope === 'team'),
    ];
    const test = (id: string | undefined, url: string) => member.post(`/v1/git-accounts/${id}/test`, { url });
    expect((await test(mine?.id, URL_THERE).expect(200)).body).toEqual({
      branches: ['main', 'ä/ö'],
      defaultBranch: 'main',
    });
    await test(ofTeam?.id, URL_THERE).expect(200);
    await viewer.post(`/v1/git-accounts/${ofTeam?.id}/test`, { url: URL_THERE }).expect(403);
    const ofViewer = await add(viewer, { secret: `${TOKEN}-viewer` });
    await viewer.post(`/v1/git-accounts/${ofViewer.id}/test`, { url: URL_THERE }).expect(403);
    await viewer.delete(`/v1/git-accounts/${ofViewer.id}`).expect(204);
    for (const url of [
      'https://other.example.org/r',
      `https://${HOST}:8443/r`,
      `git@${HOST}:r`,
      'ext::sh -c id',
      'https://127.0.0.1/r',
    ])
      await test(mine?.id, url).expect(400);
    const who = { teamId: team.id, userId: member.user.id };
    expect(asked).toEqual([
      { act: 'list-branches', who, ofProject: null, accountId: mine?.id, url: URL_THERE },
      { act: 'list-branches', who, ofProject: null, accountId: ofTeam?.id, url: URL_THERE },
    ]);
    const save = (more: object) =>
      member.post('/v1/git-accounts', { scope: 'user', host: HOST, kind: 'token', secret: TOKEN, ...more });
    const saved = (await save({ url: URL_THERE }).expect(201)).body as SavedGitAccount;
    expect(saved.test).toEqual({ isAccepted: true, branches: 2, defaultBranch: 'main' });
    expect(asked.at(-1)).toMatchObject({ accountId: saved.id, url: URL_THERE });
    for (const wrong of [
      { url: 'https://other.example.org/r' },
      { url: `git@${HOST}:r` },
      { kind: 'ssh', secret: undefined, url: URL_THERE },
    ])
      expect((await save(wrong)).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'url' }] });
    expect((await list(member)).find(({ scope, host }) => scope === 'user' && host === HOST)?.id).toBe(saved.id);

    const project = (
      await member
        .post('/v1/projects', { name: 'P', source: { kind: 'git', url: `git@${HOST}:team/r.git`, branch: 'ä/ö' } })
        .expect(201)
    ).body as { id: string; source: object };
    expect(project.source).toEqual({ kind: 'git', url: `git@${HOST}:team/r.git`, branch: 'ä/ö' });
    await member.get(`/v1/projects/${project.id}/branches`).expect(200);
    await member.post('/v1/git-branches', { url: URL_THERE }).expect(200);
    await viewer.post('/v1/git-branches', { url: URL_THERE }).expect(403);
    expect(asked.slice(3)).toEqual([
      { act: 'list-branches', who, ofProject: project.id, accountId: null, url: `git@${HOST}:team/r.git` },
      { act: 'list-branches', who, ofProject: null, accountId: null, url: URL_THERE },
    ]);
    await member.get(`/v1/projects/${(await member.createProject('Empty', team.id)).id}/branches`).expect(409);
    await serving.close();
  });

  it('tell how they fared', async () => {
    const [account] = await list(owner);
    await accounts.markFailed(account?.id ?? '', 'git.example.org did not accept it.');
    expect((await list(owner))[0]).toMatchObject({ lastError: { text: 'git.example.org did not accept it.' } });
    await accounts.markUsed(account?.id ?? '');
    expect((await list(owner))[0]).toMatchObject({ lastError: null, lastUsedAt: expect.any(String) as string });
  });

  it('have the keys of their ssh hosts shown, which owners and admins remove', async () => {
    const keys = new GitHostKeyRepository(api.worker.database);
    const first = await keys.pin(team.id, HOST, `${HOST} ${HOST_KEY}`);
    expect(await keys.pin(team.id, HOST, `${HOST} ssh-ed25519 AAAAother`)).toEqual({ ...first, isNew: false });
    const shown = (await member.get('/v1/git-host-keys').expect(200)).body as GitHostKeyList;
    expect(shown.data).toEqual([
      {
        id: first.id,
        teamId: team.id,
        host: HOST,
        keys: [{ type: 'ssh-ed25519', fingerprint: 'SHA256:R1l3U3hfw2q3jSvTwRbfLWLtOMHo/dRxXY5/3kNABpA' }],
        pinnedAt: expect.any(String) as string,
      },
    ]);
    await member.delete(`/v1/git-host-keys/${first.id}`).expect(403);
    await owner.delete(`/v1/git-host-keys/${first.id}`).expect(204);
    await owner.delete(`/v1/git-host-keys/${first.id}`).expect(404);
  });

  it('leave nothing of a secret behind: removed, audited, in no row, answer, log or audit', async () => {
    await clear(owner);
    await clear(member);
    expect(await forAct(member.user.id)).toBeNull();
    expect((await audited('git-account:create')).map(({ detail }) => detail['scope'])).toContain('team');
    expect((await audited('git-account:remove')).length).toBeGreaterThan(3);
    const { rows } = await api.worker.database.pool.query<{ row: string }>(
      `SELECT row_to_json(g)::text AS row FROM git_account g UNION ALL SELECT row_to_json(a)::text FROM audit_entry a`,
    );
    const hex = Buffer.from(TOKEN).toString('hex');
    const left = [...rows.map(({ row }) => row), ...api.logLines].filter(
      (line) => line.includes(TOKEN) || line.includes(hex) || line.includes('PRIVATE KEY'),
    );
    expect(left).toEqual([]);
  });
});
