import type { AuditEntry, EgressLogEntry, Page, Project } from '@chirality/contracts';
import { EgressLogRepository, type EgressLogCount } from '@chirality/database';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

describe('opening the network for a project', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let project: Project;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    const { id } = await owner.team();
    member = await owner.invite(id, 'member@example.org', 'member');
    project = await owner.createProject('Networked', id);
  });
  afterAll(() => api.stop());

  const egress = () => `/v1/projects/${project.id}/egress`;

  it('is closed at first, and an admin opens it host by host', async () => {
    expect((await member.get(egress()).expect(200)).body).toEqual({ hosts: [], webSearch: false });
    const opened = await owner
      .put(egress(), { hosts: ['Registry.example.org', '*.example.com:8443'], webSearch: true })
      .expect(200);
    expect(opened.body).toEqual({ hosts: ['*.example.com:8443', 'registry.example.org'], webSearch: true });
    await owner.put(egress(), { hosts: ['registry.example.org'] }).expect(200);
    expect((await member.get(egress()).expect(200)).body).toEqual({
      hosts: ['registry.example.org'],
      webSearch: false,
    });
    const { data } = (await owner.get('/v1/audit').expect(200)).body as Page<AuditEntry>;
    expect(
      data.filter(({ action }) => action === 'project:egress').map(({ object, detail }) => ({ object, detail })),
    ).toEqual([
      { object: project.id, detail: { added: [], removed: ['*.example.com:8443'], webSearch: false } },
      {
        object: project.id,
        detail: { added: ['*.example.com:8443', 'registry.example.org'], removed: [], webSearch: true },
      },
    ]);
  });

  it('is an admin’s act alone, and each entry that is none is named', async () => {
    await member.put(egress(), { hosts: [] }).expect(403);
    const refused = await owner
      .put(egress(), { hosts: ['fine.example', '169.254.169.254', 'db.internal'] })
      .expect(400);
    expect(refused.body).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'hosts.1' }, { path: 'hosts.2' }],
    });
    await owner.put(egress(), { hosts: 'all' }).expect(400);
    expect((await owner.get(egress()).expect(200)).body).toEqual({ hosts: ['registry.example.org'], webSearch: false });
  });

  it('shows what was reached and refused, by whom, summed over turns and for thirty days', async () => {
    const database = api.services[0]?.database;
    if (!database) throw new Error('no services');
    const log = new EgressLogRepository(database);
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
    const row = (more: Partial<EgressLogCount>): EgressLogCount => ({
      projectId: project.id,
      turnId: 'turn_1',
      sessionId: 'sess_1',
      userId: member.user.id,
      host: 'a.example',
      port: 443,
      decision: 'allowed',
      count: 1,
      firstAt: ago(2),
      lastAt: ago(2),
      ...more,
    });
    await log.add([row({ count: 3 }), row({ host: 'old.example', lastAt: ago(31) })]);
    await log.add([
      row({ count: 2, lastAt: ago(1) }),
      row({ turnId: 'turn_2', lastAt: ago(1) }),
      row({ host: 'b.example', decision: 'not_listed', userId: owner.user.id, lastAt: ago(0) }),
    ]);
    const { data } = (await member.get(`${egress()}/log`).expect(200)).body as Page<EgressLogEntry>;
    expect(data.map(({ host, decision, count, user }) => [host, decision, count, user.name])).toEqual([
      ['b.example', 'not_listed', 1, owner.user.name],
      ['a.example', 'allowed', 6, member.user.name],
    ]);
    expect((await database.pool.query('SELECT count(*)::int AS kept FROM egress_log')).rows).toEqual([{ kept: 3 }]);
  });
});
