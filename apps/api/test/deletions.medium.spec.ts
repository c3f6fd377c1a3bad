import type { AuditEntry, Deletion, Page, Problem, Project, Session, UsageReport } from '@chirality/contracts';
import { PurgeRepository } from '@chirality/database';
import { waitFor } from '@chirality/testing';
import { DeletionCleaner } from '../src/deletion/deletion-cleaner';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(180_000);

describe('deleting with a way back', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let teamId: string;
  let project: Project;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    member = await owner.invite(teamId, 'mo@example.org', 'member');
    project = await owner.createProject('Shop');
  });
  afterAll(() => api.stop());

  const sql = (text: string, values: unknown[] = []) => api.worker.database.pool.query(text, values);
  const deletions = async (who: ApiClient, query = '') =>
    ((await who.get(`/v1/deletions${query}`).expect(200)).body as Page<Deletion>).data;
  const names = async (who: ApiClient, query = '') => (await deletions(who, query)).map(({ name }) => name);
  const remove = async (who: ApiClient, { id }: { id: string }) =>
    (await who.post(`/v1/sessions/${id}/delete`).expect(200)).body as Deletion;
  const endedTurn = async (session: Session) => {
    await owner.sendTurn(session.id, 'secret words');
    const turn = await api.worker.claim();
    await api.worker.become(turn, 'spawned');
    await api.worker.settle(turn, 'interrupt');
    return turn;
  };

  it('takes a session out of everything, and brings it back as it was', async () => {
    const session = await owner.createSession(project.id, { visibility: 'project', title: 'Lamp' });
    await endedTurn(session);
    await sql(
      `UPDATE session SET state_version = 1, state_key = 'sessions/' || id || '/9/00/state.json',
        unpushed = '{"files":2,"names":["a","b"],"commits":[],"commitCount":0,"stashes":0}', unpushed_at = now()
       WHERE id = $1`,
      [session.id],
    );
    await member.post(`/v1/sessions/${session.id}/delete`).expect(403);
    expect(await remove(owner, session)).toMatchObject({
      kind: 'session',
      id: session.id,
      name: 'Lamp',
      projectName: 'Shop',
      deletedBy: { userId: owner.user.id },
      work: { state: 'known', files: { count: 2 } },
    });
    for (const who of [owner, member]) {
      for (const path of ['', '/turns', '/events', '/transcript', '/permissions', '/files?path=', '/diff', '/options'])
        expect(((await who.get(`/v1/sessions/${session.id}${path}`).expect(404)).body as Problem).code).toBe(
          'SESSION_NOT_FOUND',
        );
      for (const list of ['', '?archived=true', '?search=Lamp'])
        expect(
          ((await who.get(`/v1/sessions${list}`).expect(200)).body as Page<Session>).data.map(({ id }) => id),
        ).not.toContain(session.id);
    }
    await owner.post(`/v1/sessions/${session.id}/delete`).expect(404);
    await owner.post(`/v1/sessions/${session.id}/turns`, { message: 'more' }).expect(404);
    expect([await names(owner), await names(member)]).toEqual([['Lamp'], []]);
    await member.post(`/v1/sessions/${session.id}/restore`).expect(404);
    expect((await owner.post(`/v1/sessions/${session.id}/restore`).expect(200)).body).toMatchObject({
      id: session.id,
      title: 'Lamp',
      status: 'idle',
    });
    expect(JSON.stringify((await member.get(`/v1/sessions/${session.id}/events`).expect(200)).body)).toContain(
      'secret words',
    );
    expect(await names(owner)).toEqual([]);
    const audit = ((await owner.get('/v1/audit').expect(200)).body as Page<AuditEntry>).data;
    expect(audit).toContainEqual(
      expect.objectContaining({ action: 'session:delete', object: session.id, detail: { files: 2, commits: 0 } }),
    );
  });

  it('ends the running turn first, and is refused while that lasts', async () => {
    const session = await owner.createSession(project.id, { title: 'Running' });
    await owner.sendTurn(session.id);
    const turn = await api.worker.claim();
    await api.worker.become(turn, 'spawned');
    const answer = owner.post(`/v1/sessions/${session.id}/delete`).then((response) => response);
    await waitFor(async () => (await api.worker.turns.readSignals(api.worker.id)).interrupts.length > 0, {
      what: 'the turn is to be interrupted',
    });
    await api.worker.settle(turn, 'interrupt');
    expect((await answer).status).toBe(200);
    expect(await names(owner)).toEqual(['Running']);
  });

  it('keeps private sessions to their owner, among what is deleted too', async () => {
    const session = await member.createSession(project.id, { title: 'Of Mo', visibility: 'private' });
    await remove(member, session);
    expect([await names(member), (await names(owner)).includes('Of Mo')]).toEqual([['Of Mo'], false]);
    await owner.delete(`/v1/deletions/${session.id}`).expect(404);
    await owner.post(`/v1/sessions/${session.id}/restore`).expect(404);
    await member.delete(`/v1/deletions/${session.id}`).expect(204);
    expect(await names(member)).toEqual([]);
    await member.post(`/v1/sessions/${session.id}/restore`).expect(404);
  });

  it('takes a project with everything in it, and brings it back', async () => {
    const old = await owner.createProject('Old shop');
    const session = await owner.createSession(old.id, { visibility: 'project', title: 'In it' });
    await member.post(`/v1/projects/${old.id}/delete`).expect(403);
    expect((await owner.post(`/v1/projects/${old.id}/delete`).expect(200)).body).toMatchObject({
      kind: 'project',
      name: 'Old shop',
      work: null,
    });
    for (const who of [owner, member]) {
      await who.get(`/v1/projects/${old.id}`).expect(404);
      await who.get(`/v1/projects/${old.id}/unpushed-work`).expect(404);
      await who.get(`/v1/sessions/${session.id}`).expect(404);
      for (const list of ['/v1/projects', '/v1/projects?archived=true', '/v1/sessions?archived=true'])
        expect(JSON.stringify((await who.get(list).expect(200)).body)).not.toContain(old.id);
    }
    await owner.post(`/v1/sessions/${session.id}/restore`).expect(404);
    await member.post(`/v1/projects/${old.id}/restore`).expect(404);
    expect(await names(member)).not.toContain('Old shop');
    await owner.post(`/v1/projects/${old.id}/restore`).expect(200);
    expect((await member.get(`/v1/sessions/${session.id}`).expect(200)).body).toMatchObject({ title: 'In it' });
  });

  describe('for good', () => {
    const cleaner = (blobs: ConstructorParameters<typeof DeletionCleaner>[0]['blobs'], errors: unknown[] = []) =>
      new DeletionCleaner({
        purges: new PurgeRepository(api.worker.database),
        blobs,
        audit: { record: () => Promise.resolve() },
        onError: (error) => void errors.push(error),
      });
    const rowsOf = async (sessionId: string) => {
      const { rows } = await sql(
        `SELECT (SELECT count(*)::int FROM event WHERE session_id = $1) AS events,
           (SELECT count(*)::int FROM turn WHERE session_id = $1) AS turns,
           (SELECT count(*)::int FROM usage_record WHERE session_id = $1) AS usage, s.title, s.purged_at IS NOT NULL
             AS purged, s.emptied_at IS NOT NULL AS emptied FROM session s WHERE s.id = $1`,
        [sessionId],
      );
      return rows[0] as Record<string, unknown>;
    };

    it('goes after thirty days, not a day sooner, and the bill stays', async () => {
      const session = await owner.createSession(project.id, { visibility: 'project', title: 'Expired' });
      const turn = await endedTurn(session);
      await sql(
        `INSERT INTO usage_record (id, team_id, project_id, session_id, turn_id, attempt, user_id, model, input_tokens,
           output_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, cost_usd, source, complete)
         VALUES ('usage_deleted', $1, $2, $3, $4, 1, $5, 'm', 1, 1, 0, 0, 0, 0.25, 'gateway', true)`,
        [teamId, project.id, session.id, turn.id, owner.user.id],
      );
      await remove(owner, session);
      const blobs = { delete: () => Promise.resolve() };
      await sql(`UPDATE session SET deleted_at = now() - interval '29 days' WHERE id = $1`, [session.id]);
      await cleaner(blobs).clean();
      expect(await rowsOf(session.id)).toMatchObject({ purged: false, turns: 1, title: 'Expired' });
      await sql(`UPDATE session SET deleted_at = now() - interval '31 days' WHERE id = $1`, [session.id]);
      await cleaner(blobs).clean();
      expect(await rowsOf(session.id)).toEqual({
        events: 0,
        turns: 0,
        usage: 1,
        title: 'Deleted session',
        purged: true,
        emptied: true,
      });
      expect(await names(owner)).not.toContain('Expired');
      const report = (await owner.get(`/v1/usage?teamId=${teamId}&groupBy=session`).expect(200)).body as UsageReport;
      expect(report.data.map(({ key, label, costUsd }) => [key, label, costUsd])).toContainEqual([
        session.id,
        'Deleted session',
        '0.25',
      ]);
    });

    it('is whole or nothing wherever it stops, and the next round completes it', async () => {
      const session = await owner.createSession(project.id, { title: 'Cut' });
      const turn = await endedTurn(session);
      await remove(owner, session);
      await owner.delete(`/v1/deletions/${session.id}`).expect(204);
      await owner.delete(`/v1/deletions/${session.id}`).expect(404);
      const fresh = await owner.createSession(project.id, { title: 'Cut again' });
      const its = await endedTurn(fresh);
      await remove(owner, fresh);
      await new PurgeRepository(api.worker.database).purge({ kind: 'session', id: fresh.id });
      const asked: string[] = [];
      let failsAt = `turns/${its.id}`;
      const blobs = {
        delete: (prefix: string) => {
          asked.push(prefix);
          return prefix === failsAt ? Promise.reject(new Error('the disk is away')) : Promise.resolve();
        },
      };
      const errors: unknown[] = [];
      await cleaner(blobs, errors).clean();
      expect(errors).toHaveLength(1);
      expect(await rowsOf(fresh.id)).toMatchObject({ purged: true, emptied: false, events: 0, turns: 1 });
      await owner.post(`/v1/sessions/${fresh.id}/restore`).expect(404);
      failsAt = '';
      await cleaner(blobs, errors).clean();
      expect(errors).toHaveLength(1);
      expect(await rowsOf(fresh.id)).toMatchObject({ emptied: true, turns: 0 });
      expect(asked.filter((prefix) => prefix.endsWith(fresh.id))).toEqual([
        `sessions/${fresh.id}`,
        `attachments/${fresh.id}`,
        `sessions/${fresh.id}`,
        `attachments/${fresh.id}`,
      ]);
      expect(turn.id).not.toBe(its.id);
    });

    it('takes a session whose first message never came, after a day, and none that has one', async () => {
      const make = async (title: string) =>
        owner.createSession(project.id, { awaitsMessage: true, visibility: 'project', title });
      const [forsaken, begun] = [await make('Forsaken'), await make('Begun')];
      const listed = async () =>
        ((await owner.get(`/v1/sessions?projectId=${project.id}&limit=100`).expect(200)).body as Page<Session>).data
          .map(({ title }) => title)
          .filter((title) => ['Forsaken', 'Begun'].includes(title));
      expect(await listed()).toEqual([]);
      await owner.sendTurn(begun.id, 'Here it is');
      expect(await listed()).toEqual(['Begun']);
      const clean = () => cleaner({ delete: () => Promise.resolve() }).clean();
      await sql(`UPDATE session SET awaits_message_since = now() - interval '23 hours' WHERE id = $1`, [forsaken.id]);
      await clean();
      await owner.get(`/v1/sessions/${forsaken.id}`).expect(200);
      await sql(`UPDATE session SET awaits_message_since = now() - interval '25 hours' WHERE id = $1`, [forsaken.id]);
      await clean();
      await owner.get(`/v1/sessions/${forsaken.id}`).expect(404);
      await owner.get(`/v1/sessions/${begun.id}`).expect(200);
      expect(await names(owner)).not.toContain('Forsaken');
    });

    it('takes the project’s rows and those of its sessions in one commit', async () => {
      const old = await owner.createProject('Gone shop');
      const session = await owner.createSession(old.id, { title: 'Gone with it' });
      await endedTurn(session);
      await owner.put(`/v1/projects/${old.id}/variables/NAME`, { value: 'v', givenTo: 'turns' });
      await owner.post(`/v1/projects/${old.id}/delete`).expect(200);
      await owner.delete(`/v1/deletions/${old.id}`).expect(204);
      await cleaner({ delete: () => Promise.resolve() }).clean();
      expect(await rowsOf(session.id)).toMatchObject({ purged: true, events: 0, turns: 0 });
      const { rows } = await sql(
        `SELECT name, emptied_at IS NOT NULL AS emptied,
           (SELECT count(*)::int FROM project_variable WHERE project_id = p.id) AS variables FROM project p WHERE id = $1`,
        [old.id],
      );
      expect(rows).toEqual([{ name: 'Deleted project', emptied: true, variables: 0 }]);
      await owner.post(`/v1/projects/${old.id}/restore`).expect(404);
      const { data } = (await owner.get('/v1/audit').expect(200)).body as Page<AuditEntry>;
      expect(data.map(({ action, object }) => [action, object])).toContainEqual(['project:purge', old.id]);
    });
  });
});
