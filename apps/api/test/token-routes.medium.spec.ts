import { COMMANDS, type Command, type CreatedToken, type Page, type Project, type Session } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import { TOKEN_ROUTES } from '../src/access/token-routes';
import { controllersOf } from '../src/core/http/controllers-of';
import { routeTable, type Route } from '../src/core/http/route-table';
import { AppModule } from '../src/server/app.module';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';
import { ROUTE_BODIES, ROUTE_QUERIES } from './route-inputs';

jest.setTimeout(120_000);

const ROUTES = routeTable(controllersOf(AppModule)).filter(({ notes }) => !notes.public);
const nameOf = ({ method, path }: Route) => `${method} ${path}`;

describe('what a token reaches', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let teamId: string;
  let here: { project: Project; session: Session };
  let there: { project: Project; session: Session };

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    const place = async (name: string) => {
      const project = await owner.createProject(name);
      return { project, session: await owner.createSession(project.id, { title: name }) };
    };
    here = await place('Here');
    there = await place('There');
  });
  afterAll(() => api.stop());

  const create = async (claims: object = {}): Promise<CreatedToken> =>
    (await owner.post('/v1/tokens', { name: 'CI', teamId, identityClass: 'human', ...claims }).expect(201))
      .body as CreatedToken;
  const program = async (claims: object = {}): Promise<ApiClient> => {
    const client = api.client;
    client.token = (await create(claims)).secret;
    return client;
  };
  const call = (who: ApiClient, route: Route, ids: Record<string, string>) =>
    who.send(
      route.method,
      route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'missing')) +
        (ROUTE_QUERIES[nameOf(route)] ?? ''),
      ROUTE_BODIES[nameOf(route)],
    );
  const idsOf = ({ project, session }: typeof here) => ({ teamId, projectId: project.id, sessionId: session.id });
  const codeOf = ({ body }: { body: object }) => (body as { code?: string }).code;

  it('is nothing that has no command: every route of the server is refused to a token for none of them', async () => {
    const who = await program({ commands: ['custom'] });
    for (const route of ROUTES.filter((each) => nameOf(each) !== 'post /v1/sessions/:sessionId/events')) {
      const response = await call(who, route, idsOf(here));
      expect([nameOf(route), response.status, codeOf(response)]).toEqual([nameOf(route), 403, 'TOKEN_SCOPE']);
    }
  });

  it('has rules for routes that there are, each with a command of the protocol', () => {
    expect(Object.keys(TOKEN_ROUTES).filter((name) => !ROUTES.some((route) => nameOf(route) === name))).toEqual([]);
    const used = Object.values(TOKEN_ROUTES).flatMap((rule) => ('command' in rule ? [rule.command] : []));
    expect(used.filter((command) => !COMMANDS.includes(command))).toEqual([]);
  });

  it.each(COMMANDS.map((command) => [command]))('is for %s what its routes are, and no others', async (command) => {
    const who = await program({ commands: [command] });
    for (const route of ROUTES) {
      const rule = TOKEN_ROUTES[nameOf(route)];
      const isCovered =
        rule !== undefined &&
        (('command' in rule && rule.command === command) || ('anyOf' in rule && rule.anyOf.includes(command)));
      // Ids that are not there: what is let in finds nothing, and changes nothing.
      const response = await call(who, route, {
        sessionId: newId('session'),
        projectId: newId('project'),
        turnId: newId('turn'),
        permissionId: newId('permission'),
      });
      expect([nameOf(route), codeOf(response) === 'TOKEN_SCOPE']).toEqual([nameOf(route), !isCovered]);
    }
  });

  it.each<[object, Command[]]>([
    [{ options: { model: 'haiku' } }, ['session:set_model']],
    [{ options: { permissionMode: 'plan' } }, ['plan:enter']],
    [{ options: { permissionMode: 'default' } }, ['plan:exit']],
    [{ options: { model: 'haiku', permissionMode: 'plan' } }, ['session:set_model', 'plan:enter']],
  ])('is of a session %j with the commands for exactly that', async (body, commands) => {
    const path = `/v1/sessions/${here.session.id}`;
    await (await program({ commands })).patch(path, body).expect(200);
    for (const missing of commands) {
      const who = await program({ commands: COMMANDS.filter((command) => command !== missing) });
      expect(codeOf(await who.patch(path, body).expect(403))).toBe('TOKEN_SCOPE');
    }
  });

  it.each([
    [{ visibility: 'project' }],
    [{ title: 'Mine' }],
    [{ options: { permissionMode: 'acceptEdits' } }],
    [{ options: { autoApproveTools: ['Bash'] } }],
    [{ options: { model: 'haiku', strict: false } }],
    [{ options: {} }],
    [{ options: { strict: null } }],
    [{}],
  ])('is of a session never %j', async (body) => {
    const who = await program();
    expect(codeOf(await who.patch(`/v1/sessions/${here.session.id}`, body).expect(403))).toBe('TOKEN_SCOPE');
  });

  it('is of a session’s options those that it names: the others stay as a person set them', async () => {
    const options = { strict: true, disallowedTools: ['Bash'], maxBudgetUsd: '1', model: 'opus' };
    const path = `/v1/sessions/${here.session.id}`;
    await owner.patch(path, { options: { ...options, permissionMode: 'dontAsk' } }).expect(200);
    const agent = await program({ identityClass: 'agent' });
    const reads = await program({ identityClass: 'agent', commands: ['events:read'] });
    expect(codeOf(await reads.patch(path, { options: {} }).expect(403))).toBe('TOKEN_SCOPE');
    for (const permissionMode of ['default', 'plan'])
      expect(codeOf(await agent.patch(path, { options: { permissionMode } }).expect(403))).toBe(
        'AGENT_MAY_NOT_APPROVE',
      );
    const turn = { message: 'x', options: { maxBudgetUsd: '2' } };
    expect(codeOf(await agent.post(`${path}/turns`, turn).expect(403))).toBe('AGENT_MAY_NOT_APPROVE');
    const changed = (await agent.patch(path, { options: { model: 'haiku' } }).expect(200)).body as Session;
    expect(changed.options).toEqual({ ...options, model: 'haiku', permissionMode: 'dontAsk' });
    await owner.patch(path, { options: {} }).expect(200);
    expect(((await owner.get(path).expect(200)).body as Session).options).toEqual({});
  });

  it('is one project: another one, and its sessions, are not there, in lists neither', async () => {
    const who = await program({ projects: [here.project.id] });
    const listed = async (path: string) => ((await who.get(path).expect(200)).body as Page<{ id: string }>).data;
    expect((await listed('/v1/projects')).map(({ id }) => id)).toEqual([here.project.id]);
    expect((await listed('/v1/sessions')).map(({ id }) => id)).toEqual([here.session.id]);
    expect(await listed(`/v1/sessions?projectId=${there.project.id}`)).toEqual([]);
    for (const route of ROUTES.filter(({ path }) => /:(sessionId|projectId)/.test(path))) {
      const foreign = await call(who, route, idsOf(there));
      const unknown = await call(who, route, { sessionId: newId('session'), projectId: newId('project') });
      expect([nameOf(route), foreign.status, codeOf(foreign)]).toEqual([
        nameOf(route),
        unknown.status,
        codeOf(unknown),
      ]);
      expect([403, 404]).toContain(foreign.status);
    }
    await who.post('/v1/sessions', { projectId: there.project.id }).expect(404);
    expect(codeOf(await who.get('/v1/usage').expect(403))).toBe('TOKEN_SCOPE');
  });

  it('is one session: its project as such is not within it', async () => {
    const who = await program({ sessions: [here.session.id] });
    await who.get(`/v1/sessions/${here.session.id}`).expect(200);
    await who.get(`/v1/sessions/${there.session.id}`).expect(404);
    await who.get(`/v1/projects/${here.project.id}`).expect(404);
    expect((await who.get('/v1/projects').expect(200)).body).toMatchObject({ data: [] });
    const { data } = (await who.get('/v1/sessions').expect(200)).body as Page<Session>;
    expect(data.map(({ id }) => id)).toEqual([here.session.id]);
  });

  it('is its own team, of all that its person is in', async () => {
    const other = (await owner.post('/v1/teams', { name: 'Other' }).expect(201)).body as { id: string };
    const elsewhere = await owner.createProject('Elsewhere', other.id);
    const session = await owner.createSession(elsewhere.id);
    const who = await program();
    await who.get(`/v1/sessions/${session.id}`).expect(404);
    await who.get(`/v1/projects/${elsewhere.id}`).expect(404);
    expect((await who.get('/v1/sessions').expect(200)).text).not.toContain(session.id);
    const me = (await who.get('/v1/me').expect(200)).body as { teams: { id: string }[] };
    expect(me.teams.map(({ id }) => id)).toEqual([teamId]);
    await owner.post('/v1/tokens', { name: 'x', teamId, identityClass: 'agent', projects: [elsewhere.id] }).expect(404);
  });
});
