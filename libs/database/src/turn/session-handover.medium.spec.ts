import {
  buildSession,
  buildTurn,
  buildWorker,
  buildWorld,
  startTestDatabase,
  type TestDatabase,
} from '@chirality/testing';
import { EventLogWriter } from '../event/event-log-writer';
import { StatePointerRepository } from '../session/state-pointer.repository';
import type { WorkerLife } from '../worker/lease';
import { TurnClaimRepository } from './turn-claim.repository';

jest.setTimeout(60_000);

describe('a session whose holder lives', () => {
  let test: TestDatabase;
  let log: EventLogWriter;
  beforeAll(async () => {
    test = await startTestDatabase();
    log = new EventLogWriter({ pool: test.eventPool, onCommitted: () => undefined });
  });
  afterAll(async () => {
    await log.close();
    await test.close();
  });

  /** A turn is queued in a session that ran on `holder` before, while `other` has nothing to do. */
  async function held({ stored }: { stored: boolean }) {
    await test.pool.query('DELETE FROM turn');
    const world = await buildWorld(test.pool);
    const [holder, other] = [await buildWorker(test.pool, { slots: 1 }), await buildWorker(test.pool, { slots: 1 })];
    const ran = await buildTurn(test.pool, {
      session: world.session,
      authorId: world.owner.id,
      status: 'completed',
      workerId: holder.id,
    });
    const storedFence = stored ? ran.fence : ran.fence - 1n;
    await test.pool.query(`UPDATE turn SET launch = '{}' WHERE id = $1`, [ran.id]);
    await test.pool.query('UPDATE session SET holder_worker_id = $2, state_version = 1, state_key = $3 WHERE id = $1', [
      world.session.id,
      holder.id,
      `sessions/${world.session.id}/${storedFence}/00ff/manifest`,
    ]);
    const turn = await buildTurn(test.pool, { session: world.session, authorId: world.owner.id });
    const fill = async () => {
      const session = await buildSession(test.pool, {
        teamId: world.team.id,
        projectId: world.project.id,
        ownerId: world.owner.id,
      });
      return buildTurn(test.pool, { session, authorId: world.owner.id, status: 'running', workerId: holder.id });
    };
    const claimedBy = async (worker: WorkerLife) => (await new TurnClaimRepository(test).claimNext(worker))?.id ?? null;
    return { world, holder, other, turn, fill, claimedBy };
  }

  it('is its holder’s while that has a free slot', async () => {
    const { holder, other, turn, claimedBy } = await held({ stored: true });
    expect([await claimedBy(other), await claimedBy(holder)]).toEqual([null, turn.id]);
  });

  it('goes to a worker that is free when its holder is full and its state is stored', async () => {
    const { world, other, turn, fill, claimedBy } = await held({ stored: true });
    await fill();
    expect(await claimedBy(other)).toBe(turn.id);
    const { rows } = await test.pool.query('SELECT holder_worker_id FROM session WHERE id = $1', [world.session.id]);
    expect(rows).toEqual([{ holder_worker_id: other.id }]);
  });

  it.each(['draining = true', `sandbox = 'unavailable'`])(
    'goes to another worker when its holder has %s',
    async (change) => {
      const { holder, other, turn, claimedBy } = await held({ stored: true });
      await test.pool.query(`UPDATE worker SET ${change} WHERE id = $1`, [holder.id]);
      expect(await claimedBy(other)).toBe(turn.id);
    },
  );

  it('waits for its holder while what ran last is on that disk alone', async () => {
    const { holder, other, fill, claimedBy } = await held({ stored: false });
    await fill();
    await test.pool.query('UPDATE worker SET draining = true WHERE id = $1', [holder.id]);
    expect(await claimedBy(other)).toBeNull();
  });

  it('waits for its holder while what a person did to the files is on that disk alone', async () => {
    const { world, holder, other, turn, fill, claimedBy } = await held({ stored: true });
    const pointers = new StatePointerRepository(test);
    await fill();
    await pointers.markUnstored({ sessionId: world.session.id, workerId: holder.id });
    expect(await claimedBy(other)).toBeNull();
    expect(
      await pointers.move({
        sessionId: world.session.id,
        workerId: holder.id,
        fromVersion: 1,
        key: `sessions/${world.session.id}/9/00ff/manifest`,
      }),
    ).toBe(true);
    expect(await claimedBy(other)).toBe(turn.id);
  });

  it('a turn that waits for a person takes no slot of the holder', async () => {
    const { other, turn, holder, fill, claimedBy } = await held({ stored: true });
    const busy = await fill();
    await test.pool.query(`UPDATE turn SET status = 'awaiting_permission' WHERE id = $1`, [busy.id]);
    expect([await claimedBy(other), await claimedBy(holder)]).toEqual([null, turn.id]);
  });
});
