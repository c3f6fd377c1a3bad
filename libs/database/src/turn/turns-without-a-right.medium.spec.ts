import type { Role, Visibility } from '@chirality/contracts';
import { mayWorkIn, projectRoleOf, RIGHTS_ENDED } from '@chirality/domain';
import {
  buildSession,
  buildTurn,
  buildUser,
  buildWorker,
  buildWorld,
  startTestDatabase,
  type TestDatabase,
} from '@chirality/testing';
import { EventLogWriter } from '../event/event-log-writer';
import { EventRepository } from '../event/event.repository';
import { Reconciler } from '../reconcile/reconciler';
import { mayNotWorkSql } from '../session/may-not-work';
import { ForbiddenTurnRepository } from './forbidden-turn.repository';
import { TurnClaimRepository } from './turn-claim.repository';
import { TurnRepository } from './turn.repository';

const PROJECTS = (['team', 'members'] as const).flatMap((project) =>
  ([null, 'read', 'write', 'manage'] as const).map((named) => ({ project, named })),
);

describe('turns whose authors lost their right to them', () => {
  let database: TestDatabase;
  let log: EventLogWriter;
  let turns: TurnRepository;
  let claims: TurnClaimRepository;
  let forbidden: ForbiddenTurnRepository;

  beforeAll(async () => {
    database = await startTestDatabase();
    log = new EventLogWriter({ pool: database.eventPool, onCommitted: () => undefined });
    turns = new TurnRepository(database);
    claims = new TurnClaimRepository(database);
    forbidden = new ForbiddenTurnRepository(database, log);
  }, 60_000);
  afterAll(async () => {
    await log.close();
    await database.close();
  });
  beforeEach(() => database.pool.query('DELETE FROM turn'));

  const place = async ({ role, owns, visibility }: { role: Role | null; owns: boolean; visibility: Visibility }) => {
    const world = await buildWorld(database.pool);
    const author = await buildUser(database.pool, { teamId: world.team.id });
    const session = await buildSession(database.pool, {
      teamId: world.team.id,
      projectId: world.project.id,
      ownerId: owns ? author.id : world.owner.id,
    });
    await database.pool.query('UPDATE session SET visibility = $2 WHERE id = $1', [session.id, visibility]);
    await database.pool.query(
      role === null
        ? 'DELETE FROM membership WHERE user_id = $1 AND $2::text IS NULL'
        : 'UPDATE membership SET role = $2 WHERE user_id = $1',
      [author.id, role],
    );
    return { world, author, session };
  };
  const member = { role: 'member', owns: false, visibility: 'project' } as const;
  const demote = (userId: string) =>
    database.pool.query(`UPDATE membership SET role = 'viewer' WHERE user_id = $1`, [userId]);

  it.each(
    ([null, 'viewer', 'member', 'admin', 'owner'] as const).flatMap((role) =>
      [true, false].flatMap((owns) =>
        (['private', 'project', 'project_read'] as const).flatMap((visibility) =>
          PROJECTS.map((of) => ({ role, owns, visibility, ...of })),
        ),
      ),
    ),
  )('%j: the database says what the rule says', async ({ role, owns, visibility, project, named }) => {
    const { author, session, world } = await place({ role, owns, visibility });
    await database.pool.query('UPDATE project SET visibility = $2 WHERE id = $1', [world.project.id, project]);
    await database.pool.query(
      `INSERT INTO project_member (project_id, team_id, user_id, role, added_by_id)
       SELECT $1, team_id, user_id, $3, user_id FROM membership WHERE user_id = $2 AND $3::text IS NOT NULL`,
      [world.project.id, author.id, named],
    );
    const { rows } = await database.pool.query<{ forbidden: boolean }>(
      `SELECT ${mayNotWorkSql('s', '$2')} AS forbidden FROM session s WHERE s.id = $1`,
      [session.id, author.id],
    );
    expect(rows[0]?.forbidden).toBe(
      !mayWorkIn({
        role: projectRoleOf({ team: role, visibility: project, member: role === null ? null : named }),
        ownsSession: owns,
        visibility,
      }),
    );
  });

  it('a service account that no one answers for has none, until someone does', async () => {
    const { author, session, world } = await place({ role: 'member', owns: true, visibility: 'private' });
    await database.pool.query('UPDATE "user" SET is_service = true WHERE id = $1', [author.id]);
    await database.pool.query(
      `INSERT INTO service_account (user_id, team_id, owner_id, created_by_id, created_by_name)
       VALUES ($1, $2, $3, $3, 'x')`,
      [author.id, world.team.id, world.owner.id],
    );
    const turn = await buildTurn(database.pool, { session, authorId: author.id });
    expect(await forbidden.cancel()).toEqual([]);
    await database.pool.query('UPDATE service_account SET owner_id = NULL WHERE user_id = $1', [author.id]);
    expect(await forbidden.cancel()).toEqual([turn.id]);
  });

  it('are cancelled while they are queued, with the reason in their end, and those of others are not', async () => {
    const [theirs, others] = [await place(member), await place(member)];
    const turn = await buildTurn(database.pool, { session: theirs.session, authorId: theirs.author.id });
    const kept = await buildTurn(database.pool, { session: others.session, authorId: others.author.id });
    expect(await forbidden.cancel()).toEqual([]);
    await demote(theirs.author.id);
    expect(await forbidden.cancel()).toEqual([turn.id]);
    expect(await turns.find(theirs.session.id, turn.id)).toMatchObject({ status: 'cancelled', error: RIGHTS_ENDED });
    const events = await new EventRepository(database).readEvents(theirs.session.id, { after: 0, limit: 100 });
    expect(events.map(({ kind, payload }) => [kind, payload])).toMatchObject([
      ['session:error', RIGHTS_ENDED],
      ['turn:end', { status: 'cancelled', error: RIGHTS_ENDED }],
    ]);
    expect(await forbidden.cancel()).toEqual([]);
    expect(await turns.find(others.session.id, kept.id)).toMatchObject({ status: 'queued' });
  });

  it('are never claimed, and cancelled by the reconciler when the process that took the right away died', async () => {
    const { author, session } = await place(member);
    const worker = await buildWorker(database.pool);
    const turn = await buildTurn(database.pool, { session, authorId: author.id });
    await demote(author.id);
    expect(await claims.claimNext(worker)).toBeNull();
    const reconciler = new Reconciler({
      database,
      log,
      machine: 'here',
      enqueue: () => undefined,
      killProcess: () => undefined,
    });
    expect(await reconciler.tick()).toMatchObject({ forbiddenTurns: [turn.id] });
    expect(await reconciler.tick()).toMatchObject({ forbiddenTurns: [] });
  });

  it('are also those of a session that was deleted in the moment in which they were accepted', async () => {
    const { author, session } = await place(member);
    const worker = await buildWorker(database.pool);
    const turn = await buildTurn(database.pool, { session, authorId: author.id });
    await database.pool.query('UPDATE session SET deleted_at = now() WHERE id = $1', [session.id]);
    expect(await claims.claimNext(worker)).toBeNull();
    expect(await forbidden.cancel()).toEqual([turn.id]);
  });

  it('are named to the worker that runs them, and to no other', async () => {
    const { author, session } = await place(member);
    const [worker, other] = [await buildWorker(database.pool), await buildWorker(database.pool)];
    const turn = await buildTurn(database.pool, { session, authorId: author.id });
    await claims.claimNext(worker);
    expect(await forbidden.list(worker.id)).toEqual([]);
    await database.pool.query(`UPDATE session SET visibility = 'project_read' WHERE id = $1`, [session.id]);
    expect([await forbidden.list(worker.id), await forbidden.list(other.id)]).toEqual([[turn.id], []]);
    expect(await forbidden.cancel()).toEqual([]);
  });
});
