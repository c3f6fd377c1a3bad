import type { AuditEntry, CreatedToken, Page, SlashCommand } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(120_000);

describe('slash commands', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let teamId: string;
  let sessionId: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    const project = await owner.createProject('Commands');
    sessionId = (await owner.createSession(project.id)).id;
  });
  afterAll(() => api.stop());

  const linesFor = async (who: ApiClient, query = `?sessionId=${sessionId}`) =>
    ((await who.get(`/v1/slash-commands${query}`).expect(200)).body as SlashCommand[]).map(({ namespace, name }) =>
      namespace === null ? name : `${namespace}:${name}`,
    );
  const tokenFor = async (claims: object) => {
    const body = { name: 't', teamId, identityClass: 'human', ...claims };
    const { secret } = (await owner.post('/v1/tokens', body).expect(201)).body as CreatedToken;
    return Object.assign(api.client, { token: secret });
  };
  const put = (who: ApiClient, aliases: object[]) => who.put(`/v1/teams/${teamId}/aliases`, { aliases });

  it('are those that the caller can use there', async () => {
    const all = await linesFor(owner);
    expect(all).toEqual(
      expect.arrayContaining(['help', 'clear', 'compact', 'cost', 'model', 'permissions:promote', 'sessions:resume']),
    );
    expect(await linesFor(owner, '')).toEqual(
      all.filter((line) => !['clear', 'compact', 'model', 'permissions:promote'].includes(line)),
    );
    expect(all.filter((line) => /^(profile|skills|agents|mcp|sessions:(pin|branch|export))/.test(line))).toEqual([]);
  });

  it('are fewer for a token, by its commands, and none of those for signed-in people', async () => {
    const reading = await tokenFor({ commands: ['events:read'] });
    expect(await linesFor(reading)).toEqual([
      'help',
      'cost',
      'resume',
      'permissions',
      'sessions:list',
      'sessions:resume',
      'health',
      'quit',
    ]);
    expect(await linesFor(await tokenFor({}))).not.toContain('permissions:promote');
  });

  it('do not exist for a session that the caller does not know', async () => {
    await owner.get(`/v1/slash-commands?sessionId=${newId('session')}`).expect(404);
  });

  it('have aliases of the team, which an admin replaces and the audit log names', async () => {
    const aliases = [{ name: 'fast', expandsTo: '/model haiku' }];
    expect((await owner.get(`/v1/teams/${teamId}/aliases`).expect(200)).body).toEqual({ aliases: [] });
    await put(owner, aliases).expect(200);
    await put(owner, aliases).expect(200);
    expect((await owner.get(`/v1/teams/${teamId}/aliases`).expect(200)).body).toEqual({ aliases });
    const listed = (await owner.get(`/v1/slash-commands?sessionId=${sessionId}`).expect(200)).body as SlashCommand[];
    expect(listed.at(-1)).toMatchObject({ namespace: null, name: 'fast', expandsTo: '/model haiku' });
    const audit = (await owner.get('/v1/audit?action=team:aliases').expect(200)).body as Page<AuditEntry>;
    expect(audit.data).toMatchObject([{ detail: { from: [], to: aliases } }]);
    // It is there where its command is.
    expect(await linesFor(await tokenFor({ commands: ['events:read'] }))).not.toContain('fast');
  });

  it('refuse aliases that would stand before a command, at the field', async () => {
    for (const alias of [
      { name: 'help', expandsTo: '/cost' },
      { name: 'skills', expandsTo: '/cost' },
      { name: 'Fast', expandsTo: '/cost' },
      { name: 'x', expandsTo: 'rm -rf' },
      { name: 'x', expandsTo: '/nothing' },
    ])
      expect((await put(owner, [alias])).body).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    expect((await put(owner, [{ name: 'help', expandsTo: '/cost' }])).body).toMatchObject({
      errors: [{ path: 'aliases.0.name' }],
    });
  });

  it('are changed by owners and admins only', async () => {
    const member = await owner.invite(teamId, 'member@example.org', 'member');
    expect((await put(member, [])).body).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    await member.get(`/v1/teams/${teamId}/aliases`).expect(200);
  });
});
