import { EventRepository } from '@chirality/database';
import { emptyTranscript, foldEvents, prependTurns, type TranscriptState, type TurnView } from '@chirality/domain';
import { seedConversation, seededId } from '@chirality/testing';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(120_000);

const EVENTS = 10_000;
/** The budget of a page: its payloads, with what the fold adds to each of 2,000 events at most. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;

type Newest = { through: number; transcript: TranscriptState; earlier: string | null };
type Earlier = { through: number; turns: TurnView[]; earlier: string | null };

describe('reading a transcript in pages', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let sessionId: string;
  let events: EventRepository;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    const session = await owner.createSession((await owner.createProject()).id);
    sessionId = session.id;
    events = new EventRepository(api.worker.database);
    await seedLongSession(session.teamId);
  }, 120_000);
  afterAll(() => api.stop());

  /** 1,000 turns that have ended, with what is said of the whole session in the first of them only. */
  async function seedLongSession(teamId: string): Promise<void> {
    const { pool } = api.worker.database;
    await seedConversation(pool, { id: sessionId, teamId }, EVENTS);
    const facts: [id: number, kind: string, turn: boolean, payload: unknown][] = [
      [
        13,
        'session:init',
        true,
        {
          claudeSessionId: 's1',
          model: 'm',
          tools: ['Read'],
          cwd: '/workspace',
          permissionMode: 'default',
          claudeCodeVersion: '2',
        },
      ],
      [15, 'todo:update', true, { items: [{ id: '1', text: 'Do it', status: 'pending' }] }],
      [25, 'session:update', false, { changes: { title: 'First', visibility: 'private' } }],
      [35, 'session:update', false, { changes: { title: 'Second' } }],
      [46, 'session:end', false, { reason: 'idle' }],
    ];
    for (const [id, kind, turn, payload] of facts) {
      await pool.query(
        'UPDATE event SET kind = $3, payload = $4, turn_id = CASE WHEN $5 THEN turn_id END WHERE session_id = $1 AND id = $2',
        [sessionId, id, kind, JSON.stringify(payload), turn],
      );
    }
  }

  const readLog = (after = 0) => events.readEvents(sessionId, { after, limit: 1_000_000 });
  const newest = async () => (await owner.get(`/v1/sessions/${sessionId}/transcript`).expect(200)).body as Newest;
  const before = async (cursor: string) =>
    (await owner.get(`/v1/sessions/${sessionId}/transcript?before=${cursor}`).expect(200)).body as Earlier;

  /** The transcript with every page that is before it. */
  async function whole({ transcript, earlier: first }: Newest): Promise<{ state: TranscriptState; pages: number }> {
    let state = transcript;
    let pages = 1;
    for (let cursor = first; cursor !== null; pages += 1) {
      const page = await before(cursor);
      state = prependTurns(state, { firstEventId: Number(page.earlier ?? 1), turns: page.turns });
      cursor = page.earlier;
    }
    return { state, pages };
  }

  it('answers the newest turns only, with what was said of the whole session', async () => {
    const response = await owner.get(`/v1/sessions/${sessionId}/transcript`).expect(200);
    const { through, transcript, earlier } = response.body as Newest;
    expect(Buffer.byteLength(response.text)).toBeLessThan(MAX_PAGE_BYTES);
    expect(through).toBe(EVENTS);
    expect([earlier, transcript.turns.length]).toEqual(['8001', 200]);
    const { turns, turnIndex: _index, firstEventId, ...session } = foldEvents(emptyTranscript(), await readLog());
    expect(transcript).toMatchObject(session);
    expect(session).toMatchObject({
      costUsd: '1',
      init: { cwd: '/workspace' },
      todos: [{ text: 'Do it' }],
      changes: { title: 'Second', visibility: 'private' },
      endedReason: 'idle',
    });
    // The session's end is outside of every turn.
    expect([turns.length, firstEventId]).toEqual([1_001, 1]);
  });

  it('gives every earlier turn once, in pages that are bounded, and all of them are a fold of everything', async () => {
    const { state, pages } = await whole(await newest());
    expect(pages).toBe(5);
    expect(state).toEqual(foldEvents(emptyTranscript(), await readLog()));
    const { text } = await owner.get(`/v1/sessions/${sessionId}/transcript?before=8001`).expect(200);
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_PAGE_BYTES);
  });

  it('is continued by the events after it, also by words on turns whose page comes later', async () => {
    const first = await newest();
    await owner.sendTurn(sessionId, 'and now?');
    const turn = await api.worker.claimOf(sessionId);
    await api.worker.become(turn, 'spawned');
    await api.worker.append(turn, 'chat:complete', { messageId: 'm', block: 0, text: 'Now.' });
    await api.worker.settle(turn);
    const said = {
      turnId: seededId.turnOf(sessionId, 7),
      toolUseId: 'toolu_7',
      name: 'Read',
      outcome: 'succeeded',
      by: { userId: 'user_1', name: 'Ada' },
    };
    await api.worker.log.append({
      sessionId,
      fence: null,
      events: [{ kind: 'tool:outcome', turn: null, originator: { system: true }, payload: said }],
    } as never);
    const transcript = foldEvents(first.transcript, await readLog(first.through));
    expect(transcript.turns).toHaveLength(201);
    const { state } = await whole({ ...first, transcript });
    expect(state).toEqual(foldEvents(emptyTranscript(), await readLog()));
    expect(
      state.turns.flatMap(({ items }) => items).filter((item) => item.type === 'tool' && item.word !== null),
    ).toMatchObject([{ toolUseId: 'toolu_7', word: { by: 'Ada' } }]);
    expect((await newest()).transcript).toEqual(transcript);
  });

  it('begins later as the session grows, and never within a turn', async () => {
    const lastBegins: number[] = [];
    for (const [round, hundreds] of [15, 25].entries()) {
      await owner.sendTurn(sessionId, `long turn ${round}`);
      const turn = await api.worker.claimOf(sessionId);
      await api.worker.become(turn, 'spawned');
      for (let n = 0; n < hundreds; n += 1) await api.worker.stream(turn, 100);
      await api.worker.settle(turn);
      lastBegins.push(Number((await newest()).earlier));
    }
    expect(lastBegins[0]).toBe(8_001);
    const { state } = await whole(await newest());
    const { transcript } = await newest();
    expect(transcript.turns.map(({ message }) => message)).toEqual(['long turn 1']);
    expect(transcript.lastEventId - transcript.firstEventId).toBeGreaterThan(2_000);
    expect(state).toEqual(foldEvents(emptyTranscript(), await readLog()));
  });

  it('begins later as what it holds grows large, in few events too', async () => {
    const { id } = await owner.createSession((await owner.createProject()).id);
    const read = async () => {
      const { text, body } = await owner.get(`/v1/sessions/${id}/transcript`).expect(200);
      return { bytes: Buffer.byteLength(text), body: body as Newest };
    };
    for (let n = 0; n < 8; n += 1) {
      await owner.sendTurn(id, `message ${n}`);
      const turn = await api.worker.claimOf(id);
      await api.worker.become(turn, 'spawned');
      await api.worker.append(turn, 'chat:complete', { messageId: 'm', block: 0, text: 'x'.repeat(400_000) });
      await api.worker.settle(turn);
      expect((await read()).bytes).toBeLessThan(MAX_PAGE_BYTES + 1024 * 1024);
    }
    const { body } = await read();
    expect([body.earlier !== null, body.transcript.turns.at(-1)?.message]).toEqual([true, 'message 7']);
    const sizes = await Promise.all(
      Array.from({ length: 3 }, () => owner.get(`/v1/sessions/${id}/transcript?before=${body.earlier}`).expect(200)),
    );
    expect(new Set(sizes.map(({ text }) => text)).size).toBe(1);
  });

  it('refuses a cursor that no transcript has answered, and knows nothing of a session that is not to be seen', async () => {
    for (const cursor of ['8002', '999999', '0', '-1', 'x', '1e99', '']) {
      const { body } = await owner.get(`/v1/sessions/${sessionId}/transcript?before=${cursor}`).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    const { body } = await owner.get('/v1/sessions/sess_01J00000000000000000000000/transcript?before=8001').expect(404);
    expect(body).toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });

  it('answers a short session in one page, without a cursor', async () => {
    const { id } = await owner.createSession((await owner.createProject()).id);
    await owner
      .get(`/v1/sessions/${id}/transcript`)
      .expect(200, { through: 0, transcript: emptyTranscript(), earlier: null });
    await owner.sendTurn(id, 'hello');
    const { body } = await owner.get(`/v1/sessions/${id}/transcript`).expect(200);
    expect(body).toMatchObject({
      through: 1,
      transcript: { firstEventId: 1, turns: [{ message: 'hello' }] },
      earlier: null,
    });
  });
});
