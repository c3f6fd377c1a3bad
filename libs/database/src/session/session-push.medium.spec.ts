import { buildTurn, buildWorld, startTestDatabase, type TestDatabase } from '@chirality/testing';
import { SessionPushRepository } from './session-push.repository';

const LIMIT_MS = 60_000;
const BY = { teamId: 'team_1', userName: 'Ada', turnId: 'turn_1' };
const PUSHED = { branch: 'b', commit: 'c', remote: 'https://git.example.org/r' };

describe('pushes of a session', () => {
  let database: TestDatabase;
  let pushes: SessionPushRepository;
  let sessionId: string;

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
    pushes = new SessionPushRepository(database);
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    sessionId = (await buildWorld(database.pool)).session.id;
  });

  const order = () => ({ sessionId, userId: 'user_1', branch: null, isForced: false });

  it('are one however often it is pressed, and all presses see what came of it', async () => {
    const begun = await Promise.all(Array.from({ length: 8 }, () => pushes.begin(order(), LIMIT_MS)));
    expect(begun.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(begun.map(({ push }) => push.id)).size).toBe(1);
    const { id } = begun[0]!.push;
    expect([await pushes.complete(id, PUSHED, BY), await pushes.complete(id, PUSHED, BY)]).toEqual([true, false]);
    const { rows } = await database.pool.query(
      'SELECT team_id, user_id, user_name, action, detail::json AS detail FROM audit_entry WHERE object = $1',
      [sessionId],
    );
    expect(rows).toEqual([
      {
        ...{ team_id: 'team_1', user_id: 'user_1', user_name: 'Ada', action: 'session:push' },
        detail: { ...PUSHED, forced: false, turnId: 'turn_1' },
      },
    ]);
    expect(await pushes.find(id)).toMatchObject({ status: 'done', pushed: PUSHED, error: null });
    expect(await pushes.findLastDone(sessionId)).toMatchObject({ id });
    expect((await pushes.begin(order(), LIMIT_MS)).isNew).toBe(true);
  });

  it('are over when who made them is gone, and what comes late from there counts for nothing', async () => {
    const { push } = await pushes.begin(order(), LIMIT_MS);
    await database.pool.query("UPDATE session_push SET began_at = now() - interval '2 minutes'");
    const next = await pushes.begin(order(), LIMIT_MS);
    expect(next.isNew).toBe(true);
    expect(await pushes.find(push.id)).toMatchObject({ status: 'failed', error: { code: 'WORKSPACE_UNAVAILABLE' } });
    expect(await pushes.complete(push.id, PUSHED, BY)).toBe(false);
    expect(await pushes.fail(next.push.id, { code: 'GIT_PUSH_REJECTED', detail: 'no\0' })).toBe(true);
    expect(await pushes.findLastDone(sessionId)).toBeNull();
  });

  it('that a turn proposed are over with it, and not before', async () => {
    const { session, owner } = await buildWorld(database.pool);
    const turn = await buildTurn(database.pool, { session, authorId: owner.id, status: 'running' });
    const wanted = { ...order(), sessionId: session.id };
    const { push } = await pushes.begin(wanted, LIMIT_MS, turn.id);
    expect((await pushes.begin(wanted, LIMIT_MS)).push.id).toBe(push.id);
    await database.pool.query(
      `UPDATE turn SET status = 'lost', active_session_id = NULL, ended_at = now(), message_cipher = NULL WHERE id = $1`,
      [turn.id],
    );
    expect((await pushes.begin(wanted, LIMIT_MS)).isNew).toBe(true);
    expect(await pushes.find(push.id)).toMatchObject({ status: 'failed', error: { code: 'WORKSPACE_UNAVAILABLE' } });
  });
});
