import type { AuditEntry, Page, Project, ProjectVariable } from '@chirality/contracts';
import { ProjectVariableRepository } from '@chirality/database';
import { variableSealOf } from '@chirality/domain';
import { SecretBox } from '@chirality/platform';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

const VALUE = 'npm_canary_0123456789';

describe('giving variables and a set-up script to a project', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let project: Project;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    const { id } = await owner.team();
    member = await owner.invite(id, 'member@example.org', 'member');
    project = await owner.createProject('Furnished', id);
  });
  afterAll(() => api.stop());

  const variable = (name: string) => `/v1/projects/${project.id}/variables/${name}`;

  it('the value goes in and never comes out: not by an answer, the audit, the log or the database', async () => {
    const made = await owner.put(variable('NPM_TOKEN'), { value: VALUE }).expect(200);
    expect(made.body).toEqual({
      name: 'NPM_TOKEN',
      givenTo: 'nobody',
      updatedBy: { userId: owner.user.id, name: owner.user.name },
      updatedAt: expect.any(String) as string,
    });
    const given = await owner.put(variable('NPM_TOKEN'), { givenTo: 'turns' }).expect(200);
    const listed = await member.get(`/v1/projects/${project.id}/variables`).expect(200);
    expect((listed.body as Page<ProjectVariable>).data).toEqual([given.body]);
    expect((await member.get(variable('NPM_TOKEN')).expect(200)).body).toEqual(given.body);
    const audit = await owner.get('/v1/audit').expect(200);
    expect(
      (audit.body as Page<AuditEntry>).data
        .filter(({ action }) => action === 'project:variable')
        .map(({ detail }) => detail),
    ).toEqual([
      { name: 'NPM_TOKEN', givenTo: 'turns', valueChanged: false },
      { name: 'NPM_TOKEN', givenTo: 'nobody', valueChanged: true },
    ]);
    expect([made.text, given.text, listed.text, audit.text, ...api.logLines].join('\n')).not.toContain(VALUE);
    const services = api.services[0];
    if (!services) throw new Error('no services');
    const [row] = await new ProjectVariableRepository(services.database).listSealed(project.id);
    expect(row?.cipher.includes(VALUE)).toBe(false);
    const box = new SecretBox(services.config.secretKey);
    expect(box.open(row?.cipher ?? Buffer.alloc(0), variableSealOf(project.id, 'NPM_TOKEN')).toString()).toBe(VALUE);
    expect(() => box.open(row?.cipher ?? Buffer.alloc(0), variableSealOf(project.id, 'OTHER'))).toThrow(
      'sealed for something else',
    );
  });

  it('is an admin’s act, of names that a project may set and values that can be hidden', async () => {
    await member.put(variable('OTHER'), { value: VALUE }).expect(403);
    await member.delete(variable('NPM_TOKEN')).expect(403);
    for (const name of [
      'PATH',
      'LD_PRELOAD',
      'NODE_OPTIONS',
      'GIT_DIR',
      'CLAUDE_CONFIG_DIR',
      'ANTHROPIC_API_KEY',
      'HTTPS_PROXY',
      'not-a-name',
    ])
      expect((await owner.put(variable(name), { value: VALUE }).expect(400)).body).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ path: 'name' }],
      });
    await owner.put(variable('SHORT'), { value: '1' }).expect(200);
    await owner.put(variable('LONG'), { value: 'long-value '.repeat(2_900) }).expect(200);
    for (const name of ['SHORT', 'LONG']) await owner.delete(variable(name)).expect(204);
    await owner.put(variable('EMPTY'), { value: '' }).expect(400);
    const long = await owner.put(variable('LONG'), { value: 'secret-of-theirs '.repeat(2_000) }).expect(400);
    expect(long.body).toMatchObject({ errors: [{ path: 'value' }] });
    expect(long.text).not.toContain('secret-of-theirs');
    await owner.put(variable('ABSENT'), { givenTo: 'turns' }).expect(404);
    await owner.get(variable('ABSENT')).expect(404);
  });

  it('can be taken back, and there is a bound', async () => {
    await owner.delete(variable('NPM_TOKEN')).expect(204);
    await owner.delete(variable('NPM_TOKEN')).expect(404);
    for (let i = 0; i < 64; i += 1) await owner.put(variable(`V${i}`), { value: VALUE }).expect(200);
    expect((await owner.put(variable('V64'), { value: VALUE }).expect(409)).body).toMatchObject({ code: 'CONFLICT' });
    await owner.put(variable('V63'), { value: `${VALUE}-new` }).expect(200);
  });

  it('a script is kept as written, or not at all', async () => {
    const path = `/v1/projects/${project.id}/setup-script`;
    expect((await member.get(path).expect(200)).body).toEqual({ script: null });
    await member.put(path, { script: 'id' }).expect(403);
    expect((await owner.put(path, { script: 'npm ci\r\nnpm test\n' }).expect(200)).body).toEqual({
      script: 'npm ci\nnpm test\n',
    });
    expect((await member.get(path).expect(200)).body).toEqual({ script: 'npm ci\nnpm test\n' });
    expect((await owner.put(path, { script: ' \n' }).expect(200)).body).toEqual({ script: null });
    await owner.put(path, { script: 'x'.repeat(32_769) }).expect(400);
  });
});
