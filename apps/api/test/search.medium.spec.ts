import type { Page, Problem, Project, SearchHit, Session, Visibility } from '@chirality/contracts';
import { PurgeRepository, SearchBacklogRepository } from '@chirality/database';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(180_000);

describe('searching', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let outsider: ApiClient;
  let teamId: string;
  let project: Project;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    member = await owner.invite(teamId, 'mo@example.org', 'member');
    const other = (await owner.post('/v1/teams', { name: 'Other' }).expect(201)).body as { id: string };
    outsider = await owner.invite(other.id, 'out@example.org', 'admin');
    project = await owner.createProject('Shop', teamId);
  });
  afterAll(() => api.stop());

  const sql = (text: string, values: unknown[] = []) => api.worker.database.pool.query(text, values);
  const page = async (who: ApiClient, query: Record<string, string>) =>
    (await who.get(`/v1/search?${new URLSearchParams(query)}`).expect(200)).body as Page<SearchHit>;
  const hits = async (who: ApiClient, q: string, more: Record<string, string> = {}) =>
    (await page(who, { q, ...more })).data;
  const sessionsOf = (found: SearchHit[]) => [...new Set(found.map(({ session }) => session))];

  async function work(who: ApiClient, session: Session, message: string, events: [string, unknown][] = []) {
    const turn = await who.sendTurn(session.id, message);
    const claimed = await api.worker.claimOf(session.id);
    await api.worker.become(claimed, 'spawned');
    for (const [kind, payload] of events) await api.worker.append(claimed, kind as never, payload);
    await api.worker.settle(claimed);
    return turn;
  }

  it('finds every field, by words, phrases, parts of names, accents and unspaced scripts, with the place', async () => {
    const session = await owner.createSession(project.id, { visibility: 'project', title: 'Lighthouse plans' });
    const turn = await work(owner, session, 'Where is the résumé of foo_bar? 日本語', [
      ['chat:complete', { messageId: 'm', block: 0, text: 'It was running <b>nicely</b> in the harbour' }],
      [
        'tool:start',
        {
          toolUseId: 't',
          name: 'Edit',
          mutating: true,
          input: { file_path: 'src/order-repository.ts', old_string: 'marzipan' },
        },
      ],
      [
        'tool:result',
        {
          toolUseId: 't',
          content: [{ type: 'text', text: 'compiled\nwith zeppelin errors' }],
          isError: false,
          durationMs: 1,
        },
      ],
    ]);
    const fields = async (q: string) => (await hits(owner, q)).map(({ field }) => field);
    expect(await fields('lighthouse')).toEqual(['title']);
    expect([await fields('RESUME'), await fields('foo_bar'), await fields('"foo bar"'), await fields('日本')]).toEqual(
      Array.from({ length: 4 }, () => ['message']),
    );
    expect([await fields('harbour'), await fields('run '), await fields('harb')]).toEqual(
      Array.from({ length: 3 }, () => ['answer']),
    );
    expect(await fields('marzipan')).toEqual(['tool_input']);
    expect(await fields('zeppelin errors')).toEqual(['tool_output']);
    expect([await fields('src/order-repository.ts'), await fields('eposito')]).toEqual([['file'], ['file']]);
    expect([await fields('bar foo_'), await fields('"bar foo"'), await fields('本日')]).toEqual([['message'], [], []]);
    const [hit] = await hits(owner, 'nicely');
    expect(hit).toEqual({
      session: session.id,
      turn: turn.id,
      eventId: expect.any(Number),
      field: 'answer',
      snippet: 'It was running <b>nicely</b> in the harbour',
      marks: [{ start: 18, end: 24 }],
      title: 'Lighthouse plans',
      projectId: project.id,
      status: 'idle',
      at: expect.any(String),
    });
  });

  it('shows what the list of sessions shows, to each person', async () => {
    const closed = await owner.createProject('Closed', teamId);
    await owner.patch(`/v1/projects/${closed.id}`, { visibility: 'members' }).expect(200);
    const make = async (who: ApiClient, place: Project, visibility: Visibility) => {
      const session = await who.createSession(place.id, { visibility, title: `Quokka ${visibility}` });
      await work(who, session, 'a quokka was seen');
      return session.id;
    };
    const shared = await make(owner, project, 'project');
    const readable = await make(owner, project, 'project_read');
    const mine = await make(owner, project, 'private');
    const ofMember = await make(member, project, 'private');
    const inClosed = await make(owner, closed, 'project');
    const everyone = { owner, member, outsider };
    for (const [name, who] of Object.entries(everyone)) {
      const listed = ((await who.get('/v1/sessions?search=Quokka').expect(200)).body as Page<Session>).data;
      const found = await hits(who, 'quokka');
      expect([name, sessionsOf(found).toSorted()]).toEqual([name, listed.map(({ id }) => id).toSorted()]);
      expect(found.map(({ field }) => field).toSorted()).toEqual(listed.flatMap(() => ['message', 'title']).toSorted());
    }
    expect(sessionsOf(await hits(owner, 'quokka')).toSorted()).toEqual([shared, readable, mine, inClosed].toSorted());
    expect(sessionsOf(await hits(member, 'quokka')).toSorted()).toEqual([shared, readable, ofMember].toSorted());
    expect(await hits(outsider, 'quokka', { projectId: project.id, status: 'any' })).toEqual([]);
    await owner.patch(`/v1/sessions/${shared}`, { visibility: 'private' }).expect(200);
    expect(sessionsOf(await hits(member, 'quokka'))).not.toContain(shared);
    await owner.delete(`/v1/teams/${teamId}/members/${outsider.user.id}`);
    expect(sessionsOf(await hits(member, 'quokka', { userId: owner.user.id }))).toEqual([readable]);
  });

  it('narrows by person, project, persona, status, model and time', async () => {
    const second = await owner.createProject('Second', teamId);
    const a = await owner.createSession(project.id, { visibility: 'project', title: 'A' });
    const b = await owner.createSession(second.id, { visibility: 'project', title: 'B' });
    const turnA = await work(owner, a, 'a pangolin');
    await work(member, b, 'a pangolin');
    await sql(`UPDATE turn SET model = 'claude-opus-4-7' WHERE id = $1`, [turnA.id]);
    await sql(`UPDATE session SET persona = 'reviewer' WHERE id = $1`, [a.id]);
    await sql(`UPDATE search_text SET at = '2026-01-05T10:00:00Z' WHERE session_id = $1`, [a.id]);
    const found = async (more: Record<string, string>) => sessionsOf(await hits(owner, 'pangolin', more));
    expect(await found({})).toEqual([b.id, a.id]);
    expect(await found({ projectId: second.id })).toEqual([b.id]);
    expect(await found({ userId: member.user.id })).toEqual([b.id]);
    expect(await found({ persona: 'reviewer' })).toEqual([a.id]);
    expect([await found({ model: 'OPUS' }), await found({ model: '%' })]).toEqual([[a.id], []]);
    expect(await found({ from: '2026-01-05T10:00:00.000Z', to: '2026-01-05T10:00:00.001Z' })).toEqual([a.id]);
    expect(await found({ to: '2026-01-05T10:00:00.000Z' })).toEqual([]);
    expect([await found({ status: 'idle' }), await found({ status: 'running' })]).toEqual([[b.id, a.id], []]);
    await owner.delete(`/v1/sessions/${a.id}`).expect(204);
    expect([await found({}), await found({ status: 'archived' }), await found({ status: 'any' })]).toEqual([
      [b.id],
      [a.id],
      [b.id, a.id],
    ]);
    expect(await found({ projectId: 'nonsense' })).toEqual([]);
  });

  it('turns pages that what is added meanwhile does not move', async () => {
    const session = await owner.createSession(project.id, { visibility: 'project', title: 'Okapi one' });
    await owner.createSession(project.id, { visibility: 'project', title: 'Okapi two' });
    for (let n = 0; n < 4; n++) await work(owner, session, `okapi ${n}`);
    const all = await hits(owner, 'okapi');
    expect(all.map(({ field }) => field)).toEqual(['title', 'title', 'message', 'message', 'message', 'message']);
    const seen: SearchHit[] = [];
    let cursor: string | null = null;
    do {
      const next: Page<SearchHit> = await page(owner, { q: 'okapi', limit: '1', ...(cursor && { cursor }) });
      seen.push(...next.data);
      cursor = next.nextCursor;
      if (seen.length === 3) await work(owner, session, 'okapi too late');
    } while (cursor !== null);
    expect(seen).toEqual(all);
  });

  it('refuses what cannot be searched for, and says what to do', async () => {
    for (const [q, detail] of [
      ['', 'Type a word'],
      ['&!', 'Type a word'],
      ['"open', 'quotation mark'],
      ['x '.repeat(13), 'at most'],
      ['x'.repeat(201), 'q'],
    ] as const) {
      const { body } = await owner.get(`/v1/search?q=${encodeURIComponent(q)}`).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', detail: expect.stringContaining(detail) });
    }
    for (const rest of ['', 'q=x&status=gone', 'q=x&from=yesterday', 'q=x&limit=51', 'q=x&cursor=%20'])
      expect(((await owner.get(`/v1/search?${rest}`).expect(400)).body as Problem).code).toBe('VALIDATION_FAILED');
    for (const q of [`a'); DROP TABLE turn; --`, '\\', "':*", '%', 'a:b <-> c'])
      expect([400, 200]).toContain((await owner.get(`/v1/search?q=${encodeURIComponent(q)}`)).status);
    expect(((await api.client.get('/v1/search?q=x').expect(401)).body as Problem).code).toBe('UNAUTHENTICATED');
  });

  it('holds masked text only', async () => {
    const session = await owner.createSession(project.id, { title: 'Masks' });
    await owner.sendTurn(session.id, `ocelot ghp_${'a1B2'.repeat(9)} end`);
    const [hit] = await hits(owner, 'ocelot');
    expect(hit?.snippet).not.toContain('a1B2');
    const { rows } = await sql(`SELECT * FROM search_text WHERE text LIKE '%a1B2%' OR words::text LIKE '%a1b2%'`);
    expect(rows).toEqual([]);
    await api.worker.settle(await api.worker.claimOf(session.id), 'interrupt');
  });

  it('writes rows with their events, once each, also where many write at once', async () => {
    const session = await owner.createSession(project.id, { title: 'Many' });
    await owner.sendTurn(session.id, 'start');
    const turn = await api.worker.claimOf(session.id);
    await api.worker.become(turn, 'spawned');
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        api.worker.append(turn, 'chat:complete', { messageId: `m${n}`, block: 0, text: `wombat number${n}` }),
      ),
    );
    const refused = { ...turn, fence: turn.fence - 1n };
    await expect(
      api.worker.append(refused, 'chat:complete', { messageId: 'x', block: 0, text: 'wombat refused' }),
    ).rejects.toThrow('refused');
    const { rows } = await sql(
      `SELECT x.event_id, e.payload FROM search_text x JOIN event e ON e.session_id = x.session_id AND e.id = x.event_id
       WHERE x.session_id = $1 AND x.field = 'answer' AND e.payload LIKE '%' || x.text || '"%'`,
      [session.id],
    );
    expect(rows).toHaveLength(60);
    expect((await hits(owner, 'wombat', { limit: '50' })).length).toBe(50);
    expect(await hits(owner, 'wombat refused ')).toEqual([]);
    await api.worker.settle(turn);
  });

  it('takes rows along when a session goes for good', async () => {
    const session = await owner.createSession(project.id, { title: 'Numbat' });
    await work(owner, session, 'numbat');
    await owner.post(`/v1/sessions/${session.id}/delete`).expect(200);
    expect(await hits(owner, 'numbat', { status: 'any' })).toEqual([]);
    await sql(`INSERT INTO search_backlog (session_id) VALUES ($1)`, [session.id]);
    expect(await new PurgeRepository(api.worker.database).purge({ kind: 'session', id: session.id })).toBe(true);
    for (const table of ['search_text', 'search_backlog'])
      expect((await sql(`SELECT 1 FROM ${table} WHERE session_id = $1`, [session.id])).rows).toEqual([]);
  });

  it('brings in what was said before there was a search, in small steps that may end anywhere', async () => {
    const session = await owner.createSession(project.id, { title: 'Old' });
    for (let n = 0; n < 3; n++)
      await work(owner, session, `axolotl ${n}`, [['chat:complete', { messageId: 'm', block: 0, text: 'axolotl' }]]);
    const before = (await sql('SELECT * FROM search_text WHERE session_id = $1 ORDER BY event_id, field', [session.id]))
      .rows;
    await sql('DELETE FROM search_text WHERE session_id = $1 AND event_id > 1', [session.id]);
    await sql('INSERT INTO search_backlog (session_id) VALUES ($1)', [session.id]);
    const backlog = new SearchBacklogRepository(api.worker.database);
    // Two servers at once, and one that dies in the middle of a step.
    const dying = {
      connect: async () => {
        const client = await api.worker.database.pool.connect();
        const query = (text: string, ...rest: unknown[]) =>
          text.startsWith('INSERT') ? Promise.reject(new Error('gone')) : client.query(text, ...(rest as []));
        return { query, release: () => client.release() };
      },
    };
    await expect(new SearchBacklogRepository({ pool: dying as never }).takeSome(2)).rejects.toThrow('gone');
    let left = true;
    while (left) left = (await Promise.all([backlog.takeSome(2), backlog.takeSome(2)])).some(Boolean);
    expect(
      (await sql('SELECT * FROM search_text WHERE session_id = $1 ORDER BY event_id, field', [session.id])).rows,
    ).toEqual(before);
    expect((await sql('SELECT 1 FROM search_backlog WHERE session_id = $1', [session.id])).rows).toEqual([]);
  });
});
