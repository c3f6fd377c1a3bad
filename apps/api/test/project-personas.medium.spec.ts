import type { Persona, PersonaDetail, PersonaList, Project, WorkspaceJob } from '@chirality/contracts';
import { personaTextHash, ProjectPersonaRepository, type ReadPersonaFile } from '@chirality/database';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

const WIDE = '---\nauto_approve_tools: Bash(*)\ndisallowed_tools: WebFetch\n---\nDo it all.';
const file = (name: string, text: string): ReadPersonaFile => ({ file: `agents/${name}`, text, refusal: null });

describe('personas of a project', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let project: Project;
  let scans: ProjectPersonaRepository;
  let serving: { close(): Promise<void> };
  let files: ReadPersonaFile[];
  const jobs: WorkspaceJob[] = [];

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    member = await owner.invite((await owner.team()).id, 'member@example.org', 'member');
    scans = new ProjectPersonaRepository(api.worker.database);
    serving = api.worker.messaging.serveWorkspaceJobs(api.worker.id, async (job) => {
      jobs.push(job);
      if (job.act !== 'read-personas') return { act: 'refused', code: 'NOT_FOUND', detail: 'not here' };
      await scans.keepScan(job.projectId, { bundleKey: 'b1', commit: 'c1', files });
      return { act: 'read-personas', commit: 'c1' };
    });
  });
  afterAll(async () => {
    await serving.close();
    await api.stop();
  });
  beforeEach(async () => {
    project = await owner.createProject();
    await bundle('b1');
    files = [file('AGENT_WIDE.md', WIDE)];
    jobs.splice(0);
  });

  const bundle = (key: string) =>
    api.worker.database.pool.query('UPDATE project SET bundle_key = $2 WHERE id = $1', [project.id, key]);
  const path = (rest = '') => `/v1/projects/${project.id}/personas${rest}`;
  const list = async (): Promise<PersonaList> => (await member.get(path()).expect(200)).body as PersonaList;
  const ofProject = async (): Promise<Persona[]> => (await list()).data.filter(({ origin }) => origin === 'project');
  const contentHash = personaTextHash(WIDE);

  it('are read by a worker, once for each state of the project', async () => {
    expect(await ofProject()).toMatchObject([
      {
        key: 'wide',
        file: 'agents/AGENT_WIDE.md',
        commit: 'c1',
        contentHash,
        choosable: true,
        approval: null,
        narrowed: [{ option: 'autoApproveTools', asked: ['Bash(*)'], given: [] }],
      },
    ]);
    await list();
    expect(jobs).toEqual([{ act: 'read-personas', projectId: project.id }]);
    await bundle('b2');
    await list();
    expect(jobs).toHaveLength(2);
  });

  it('are listed with what is wrong with their file, and then cannot be chosen', async () => {
    files = [
      file('AGENT_BAD.md', '---\ntools: Read\nmax_turns: many\n---\nx'),
      { file: 'agents/AGENT_LINK.md', text: null, refusal: 'is a link, and links are not followed' },
    ];
    expect(await ofProject()).toMatchObject([
      {
        key: 'bad',
        choosable: false,
        problem: {
          file: 'agents/AGENT_BAD.md',
          line: 3,
          field: 'max_turns',
          detail: 'must be a whole number, not "many"',
        },
      },
      {
        key: 'link',
        choosable: false,
        problem: { file: 'agents/AGENT_LINK.md', detail: 'is a link, and links are not followed' },
      },
    ]);
    const refused = await owner.post('/v1/sessions', { projectId: project.id, persona: 'bad' }).expect(404);
    expect(refused.body).toMatchObject({
      code: 'PERSONA_NOT_FOUND',
      detail: expect.stringContaining('agents/AGENT_BAD.md:3: max_turns: must be') as string,
      errors: [{ file: 'agents/AGENT_BAD.md', line: 3, field: 'max_turns' }],
    });
  });

  it('never stand for a built-in or a team’s one, not even after that is gone', async () => {
    files = [file('AGENT_REVIEWER.md', WIDE), file('AGENT_LOCAL.md', WIDE)];
    const made = (await owner.post('/v1/personas', { key: 'local', text: 'Ours.' }).expect(201)).body as { id: string };
    expect(await ofProject()).toMatchObject([
      { key: 'local', shadowedBy: 'team', choosable: false },
      { key: 'reviewer', shadowedBy: 'built-in', choosable: false },
    ]);
    const session = await owner.createSession(project.id, { persona: 'local' });
    await owner.delete(`/v1/personas/${made.id}`).expect(204);
    expect((await owner.post(`/v1/sessions/${session.id}/turns`, { message: 'x' }).expect(404)).body).toMatchObject({
      code: 'PERSONA_NOT_FOUND',
    });
    expect((await owner.patch(`/v1/sessions/${session.id}`, { persona: 'local' }).expect(200)).body).toMatchObject({
      personaOrigin: 'project',
    });
    expect(await owner.sendTurn(session.id)).toMatchObject({ persona: { origin: 'project' } });
    await api.worker.settle(await api.worker.claim(), 'fail');
  });

  it('widen nothing until an admin approved that very text, and nothing again once it changed', async () => {
    const session = await owner.createSession(project.id, { persona: 'wide' });
    const turnNow = async () => {
      const turn = await owner.sendTurn(session.id);
      await api.worker.settle(await api.worker.claim(), 'fail');
      return turn;
    };
    expect(await turnNow()).toMatchObject({
      options: { autoApproveTools: { value: [] }, disallowedTools: { value: ['WebFetch'], from: 'persona' } },
      persona: { approval: null, narrowed: [{ option: 'autoApproveTools' }] },
    });

    const approved = (await owner.post(path('/wide/approve'), { contentHash }).expect(200)).body as PersonaDetail;
    expect(approved).toMatchObject({
      approval: { userId: owner.user.id, name: owner.user.name },
      narrowed: [],
      text: WIDE,
    });
    expect(await turnNow()).toMatchObject({
      options: { autoApproveTools: { value: ['Bash(*)'], from: 'persona' } },
      persona: { approval: { userId: owner.user.id }, narrowed: [], contentHash },
    });

    files = [file('AGENT_WIDE.md', `${WIDE} And more.`)];
    await bundle('b2');
    expect(await turnNow()).toMatchObject({
      options: { autoApproveTools: { value: [] } },
      persona: { approval: null, narrowed: [{ option: 'autoApproveTools' }] },
    });
    expect((await member.get(path('/wide')).expect(200)).body).toMatchObject({
      text: `${WIDE} And more.`,
      approvedText: WIDE,
      approval: null,
    });
    expect((await owner.post(path('/wide/approve'), { contentHash }).expect(409)).body).toMatchObject({
      code: 'CONFLICT',
      contentHash: personaTextHash(`${WIDE} And more.`),
    });
  });

  it('are approved by admins only; who did so is kept, can be taken back, and is audited', async () => {
    expect((await member.post(path('/wide/approve'), { contentHash }).expect(403)).body).toMatchObject({
      code: 'FORBIDDEN',
    });
    await owner.post(path('/wide/approve'), { contentHash }).expect(200);
    await owner.post(path('/wide/approve'), { contentHash }).expect(200);
    await owner.delete(path('/wide/approve')).expect(204);
    await owner.delete(path('/wide/approve')).expect(404);
    expect(await ofProject()).toMatchObject([{ approval: null, narrowed: [{ option: 'autoApproveTools' }] }]);
    const { data } = (await owner.get('/v1/audit?limit=200').expect(200)).body as {
      data: { action: string; object: string }[];
    };
    expect(
      data
        .filter(({ object, action }) => object === project.id && action.startsWith('persona'))
        .map(({ action }) => action),
    ).toEqual(['persona:revoke', 'persona:approve']);
    for (const key of ['none', 'reviewer'])
      expect((await owner.post(path(`/${key}/approve`), { contentHash }).expect(404)).body).toMatchObject({
        code: 'PERSONA_NOT_FOUND',
      });
  });

  it('are missing with a reason while no worker can read them, and the others are there', async () => {
    await api.worker.database.pool.query('UPDATE worker SET draining = draining, stopped_at = now()');
    const { data, notice } = await list();
    expect(notice).toMatch(/could not be read\. No worker is running/);
    expect(data.map(({ origin }) => origin)).not.toContain('project');
    expect(data.map(({ key }) => key)).toContain('reviewer');
    expect(
      (await owner.post('/v1/sessions', { projectId: project.id, persona: 'wide' }).expect(503)).body,
    ).toMatchObject({ code: 'WORKSPACE_UNAVAILABLE' });
    await api.worker.register();
  });
});
