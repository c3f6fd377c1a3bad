import type {
  AuditEntry,
  IdentityClass,
  Page,
  Project,
  ProjectRule,
  ResolvedOptions,
  Session,
  SessionRule,
} from '@chirality/contracts';
import { PolicyRepository } from '@chirality/database';
import { newId } from '@chirality/domain';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

describe('setting a project’s policy', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let admin: ApiClient;
  let member: ApiClient;
  let viewer: ApiClient;
  let teamId: string;
  let project: Project;
  let session: Session;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    admin = await owner.invite(teamId, 'admin@example.org', 'admin');
    member = await owner.invite(teamId, 'member@example.org', 'member');
    viewer = await owner.invite(teamId, 'viewer@example.org', 'viewer');
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    project = await owner.createProject();
    session = await member.createSession(project.id, { visibility: 'project' });
  });

  const rulesPath = () => `/v1/projects/${project.id}/rules`;
  const add = (who: ApiClient, rule: object) => who.post(rulesPath(), rule);
  const rules = async () => ((await viewer.get(rulesPath()).expect(200)).body as Page<ProjectRule>).data;
  const settings = (who: ApiClient, body: object) => who.patch(`/v1/projects/${project.id}`, body);
  const inForce = (author: ApiClient, identityClass: IdentityClass = 'human') =>
    new PolicyRepository(api.worker.database).readInForce(session.id, { userId: author.user.id, identityClass });
  const audited = async (prefix: string) => {
    const { data } = (await owner.get(`/v1/audit?limit=200&projectId=${project.id}`).expect(200))
      .body as Page<AuditEntry>;
    for (const { object, detail } of data)
      expect([object === project.id, object === session.id, detail['projectId'] === project.id]).toContain(true);
    return data.filter(({ action }) => action.startsWith(prefix)).reverse();
  };
  const sessionRule = async (pattern: string | null) => {
    const id = newId('rule');
    await api.worker.database.pool.query(
      'INSERT INTO session_rule (id, session_id, tool, pattern, created_by_id, created_by_name) VALUES ($1, $2, $3, $4, $5, $6)',
      [id, session.id, 'Bash', pattern, member.user.id, 'member'],
    );
    return id;
  };

  it('rules are made and taken away by admins, seen by all, and recorded', async () => {
    const made = (await add(admin, { tool: 'Bash', pattern: 'Bash(npm *)', effect: 'deny' }).expect(201))
      .body as ProjectRule;
    expect(made).toMatchObject({
      projectId: project.id,
      tool: 'Bash',
      pattern: 'npm *',
      effect: 'deny',
      createdBy: { userId: admin.user.id, name: 'admin' },
    });
    for (const who of [member, viewer]) {
      await add(who, { tool: 'Bash', effect: 'allow' }).expect(403);
      await who.delete(`${rulesPath()}/${made.id}`).expect(403);
    }
    expect(await rules()).toEqual([made]);
    await owner.delete(`${rulesPath()}/${made.id}`).expect(204);
    await owner.delete(`${rulesPath()}/${made.id}`).expect(404);
    expect(await rules()).toEqual([]);
    expect(
      (await audited('project-rule')).map(({ action, userName, detail }) => [
        action,
        userName,
        detail['rule'],
        detail['effect'],
      ]),
    ).toEqual([
      ['project-rule:add', 'admin', 'Bash(npm *)', 'deny'],
      ['project-rule:remove', owner.user.name, 'Bash(npm *)', 'deny'],
    ]);
  });

  it('marks rules that allow more than they show, and lists those of sessions to admins, who delete them', async () => {
    await add(admin, { tool: 'Bash', pattern: 'xargs *', effect: 'allow' }).expect(201);
    await add(admin, { tool: 'Bash', pattern: 'npm test *', effect: 'allow' }).expect(201);
    expect((await rules()).map(({ pattern, tooWide }) => [pattern, tooWide])).toEqual([
      ['xargs *', expect.stringContaining('every program') as string],
      ['npm test *', null],
    ]);
    const wide = await sessionRule('Bash(sh)');
    await sessionRule('Bash(npm test *)');
    const other = await owner.createProject();
    const path = `${rulesPath()}/of-sessions`;
    for (const who of [member, viewer]) {
      await who.get(path).expect(403);
      await who.delete(`${path}/${wide}`).expect(403);
    }
    expect((await admin.get(path).expect(200)).body).toMatchObject({
      data: [
        {
          id: wide,
          sessionId: session.id,
          pattern: 'Bash(sh)',
          tooWide: expect.stringContaining('sh') as string,
          createdBy: { name: 'member' },
        },
      ],
    });
    await admin.delete(`/v1/projects/${other.id}/rules/of-sessions/${wide}`).expect(404);
    await admin.delete(`${path}/${wide}`).expect(204);
    expect((await admin.get(path).expect(200)).body).toMatchObject({ data: [] });
    expect((await inForce(member)).rules.map(({ pattern }) => pattern)).not.toContain('Bash(sh)');
    expect((await audited('rule:remove')).map(({ object, detail }) => [object, detail['rule']])).toEqual([
      [wide, 'Bash(sh)'],
    ]);
  });

  it('the same rule is there once, however often and by how many it is made', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        add(index % 2 ? owner : admin, {
          tool: 'Bash',
          pattern: index % 3 ? 'make *' : 'Bash(make *)',
          effect: 'allow',
        }),
      ),
    );
    const ids = new Set(answers.map(({ status, body }) => [status, (body as ProjectRule).id].join()));
    expect([...ids]).toEqual([`201,${(await rules())[0]?.id}`]);
    expect(await audited('project-rule')).toHaveLength(1);
    await add(owner, { tool: 'Bash', pattern: 'make *', effect: 'ask' }).expect(201);
    expect(await rules()).toHaveLength(2);
  });

  it.each([
    {},
    { tool: 'Bash' },
    { tool: 'Bash(x)', effect: 'allow' },
    { tool: 'Bash', effect: 'maybe' },
    { tool: 'Bash', pattern: '', effect: 'allow' },
    { tool: '', effect: 'deny' },
    { tool: 'Bash', effect: 'deny', more: 1 },
  ])('refuses the rule %j', async (rule) =>
    expect((await add(owner, rule).expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED' }),
  );

  it('a session’s rule becomes the project’s by an admin, once', async () => {
    const ruleId = await sessionRule('Bash(git push *)');
    const promote = (who: ApiClient) => who.post(`/v1/sessions/${session.id}/rules/${ruleId}/promote`);
    await promote(member).expect(403);
    await promote(viewer).expect(403);
    const answers = await Promise.all([promote(admin), promote(owner)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await rules()).toMatchObject([{ tool: 'Bash', pattern: 'git push *', effect: 'allow' }]);
    expect(((await member.get(`/v1/sessions/${session.id}/rules`).expect(200)).body as Page<SessionRule>).data).toEqual(
      [],
    );
    expect((await audited('rule:promote')).map(({ detail }) => detail)).toEqual([
      { projectId: project.id, sessionId: session.id, from: ruleId, rule: 'Bash(git push *)' },
    ]);
  });

  it('hold in every session of the project from then on, and allowances only for people who may answer', async () => {
    await add(owner, { tool: 'Bash', pattern: 'rm *', effect: 'deny' }).expect(201);
    await sessionRule('make *');
    const both = [
      { tool: 'Bash', pattern: 'rm *', effect: 'deny', by: { userId: owner.user.id, name: owner.user.name } },
      { tool: 'Bash', pattern: 'make *', effect: 'allow', by: { userId: member.user.id, name: 'member' } },
    ];
    expect(await inForce(member)).toEqual({
      strict: false,
      autoApprove: false,
      autoApproveBy: null,
      rules: both,
      authorMayAnswer: true,
    });
    expect((await inForce(owner)).authorMayAnswer).toBe(true);
    expect(await inForce(viewer)).toMatchObject({ authorMayAnswer: false, rules: both });
    expect((await inForce(member, 'agent')).authorMayAnswer).toBe(false);
    await member.patch(`/v1/sessions/${session.id}`, { visibility: 'private' }).expect(200);
    expect((await inForce(owner)).authorMayAnswer).toBe(false);
  });

  it('strict mode and auto-approve are for admins, exclude each other, and are recorded', async () => {
    for (const who of [member, viewer])
      for (const body of [{ strict: true }, { autoApprove: true }, { options: {} }])
        await settings(who, body).expect(403);
    await settings(member, { name: 'Renamed', autoApprove: true }).expect(403);
    expect((await settings(admin, { autoApprove: true }).expect(200)).body).toMatchObject({
      strict: false,
      autoApprove: { since: expect.any(String) as string, by: { userId: admin.user.id, name: 'admin' } },
    });
    const since = ((await settings(owner, { autoApprove: true }).expect(200)).body as Project).autoApprove;
    expect(since?.by.name).toBe('admin');
    expect(await inForce(member)).toMatchObject({ autoApprove: true, autoApproveBy: { name: 'admin' } });
    expect((await settings(owner, { strict: true }).expect(409)).body).toMatchObject({ code: 'CONFLICT' });
    await settings(owner, { autoApprove: false, strict: true }).expect(200);
    expect(await inForce(member)).toMatchObject({ autoApprove: false, strict: true });
    expect((await viewer.get(`/v1/projects/${project.id}`).expect(200)).body).toMatchObject({
      name: 'Project',
      strict: true,
      autoApprove: null,
    });
    expect((await audited('project:')).map(({ action, userName, detail }) => [action, userName, detail])).toEqual([
      ['project:create', owner.user.name, { name: 'Project', source: 'empty', visibility: 'team' }],
      ['project:auto-approve', 'admin', { on: true }],
      ['project:strict', owner.user.name, { on: true }],
      ['project:auto-approve', owner.user.name, { on: false }],
    ]);
  });

  it('of both at once, by two people, one holds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        settings(index % 2 ? owner : admin, index % 2 ? { strict: true } : { autoApprove: true }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const { strict, autoApprove } = (await owner.get(`/v1/projects/${project.id}`).expect(200)).body as Project;
    expect(strict).toBe(autoApprove === null);
  });

  it('defaults of project and team are found by the chain, each named as where it came from', async () => {
    const chain = async () =>
      (await viewer.get(`/v1/sessions/${session.id}/options`).expect(200)).body as ResolvedOptions;
    expect(await chain()).toMatchObject({ model: { from: 'built-in' }, maxTurns: { value: 25, from: 'built-in' } });
    await member.patch(`/v1/teams/${teamId}`, { options: { model: 'haiku' } }).expect(403);
    await owner
      .patch(`/v1/teams/${teamId}`, { options: { model: 'haiku', maxTurns: 11, disallowedTools: ['WebFetch'] } })
      .expect(200);
    await settings(admin, {
      options: { maxTurns: 12, disallowedTools: ['Bash'], autoApproveTools: ['Bash(npm *)'] },
    }).expect(200);
    await member
      .patch(`/v1/sessions/${session.id}`, { options: { autoApproveTools: ['Bash'], strict: false } })
      .expect(200);
    const expected = {
      model: { value: 'haiku', from: 'team' },
      maxTurns: { value: 12, from: 'project' },
      disallowedTools: { value: ['WebFetch', 'Bash'], from: 'project' },
      autoApproveTools: { value: ['Bash(npm *)'], from: 'project' },
      strict: { value: false, from: 'session' },
    };
    expect(await chain()).toMatchObject(expected);
    expect((await member.sendTurn(session.id)).options).toMatchObject(expected);
    await settings(admin, { strict: true }).expect(200);
    expect(await chain()).toMatchObject({ strict: { value: true, from: 'project' } });
    await owner.patch(`/v1/teams/${teamId}`, { options: {} }).expect(200);
    expect(await chain()).toMatchObject({ model: { from: 'built-in' } });
    expect((await audited('project:options')).map(({ detail }) => detail['to'])).toEqual([
      { maxTurns: 12, disallowedTools: ['Bash'], autoApproveTools: ['Bash(npm *)'] },
    ]);
  });
});
