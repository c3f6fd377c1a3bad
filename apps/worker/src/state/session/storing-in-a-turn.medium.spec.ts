import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { StateFixture } from '../../../test/state-fixture';

jest.setTimeout(60_000);

let fixture: StateFixture;
beforeAll(async () => {
  fixture = await StateFixture.start();
});
afterAll(() => fixture.close());

describeAsOrdinaryUser('what a turn has done up to now', () => {
  const begun = async (name: string) => {
    const [worker, session] = [await fixture.worker(name), await fixture.session()];
    await fixture.turn(worker, session, 'echo 1 > one');
    const { turnId, fence } = await fixture.claim(worker, session);
    const prepared = await worker.disk.prepare({ session: session.record, project: session.project, fence });
    await worker.disk.markDirty(session.record.id, { attempt: 1, fence });
    await fixture.launched(turnId);
    await fixture.act(prepared, 'echo 2 > two; git add two; git commit -qm two');
    return { worker, session, turnId, fence, prepared, sessionId: session.record.id };
  };

  it('is stored while the turn waits, which then continues and is stored in its turn', async () => {
    const { worker, session, turnId, fence, prepared, sessionId } = await begun('continues');
    const seen = await worker.acts.whileTurn({ sessionId, fence }, async ({ workspace }) => workspace.workspace);
    expect(seen).toBe(prepared.workspace);
    await fixture.act(prepared, 'echo 3 > three');
    await fixture.settle(turnId, 'completed');
    const { claudeSessionId } = session.record;
    expect(await worker.disk.store({ sessionId, fence, mutated: true, claudeSessionId })).toMatchObject({
      stored: true,
      stateVersion: 3,
    });
    const next = await fixture.turn(await fixture.worker('continues-b'), session, null);
    expect(next.prepared).toMatchObject({ stateVersion: 3, notice: null });
    expect(await fixture.act(next.prepared, 'git log --format=%s -1; ls')).toBe('two\na.txt\none\nthree\ntwo\n');
  });

  it('survives its worker, and people learn that the rest is lost', async () => {
    const { worker, session, turnId, fence, prepared, sessionId } = await begun('dies');
    await worker.acts.whileTurn({ sessionId, fence }, async () => undefined);
    await fixture.act(prepared, 'echo 3 > three');
    await fixture.settle(turnId, 'lost');
    await fixture.lose(worker);
    const next = await fixture.turn(await fixture.worker('dies-b'), session, null);
    expect(next.prepared).toMatchObject({ stateVersion: 2, restored: true, notice: { code: 'WORKSPACE_RESTORED' } });
    expect(await fixture.act(next.prepared, 'git log --format=%s -1; ls')).toBe('two\na.txt\none\ntwo\n');
  });

  it('is not stored for a turn that is over', async () => {
    const { worker, fence, sessionId } = await begun('over');
    const never = jest.fn();
    await expect(worker.acts.whileTurn({ sessionId, fence: fence - 1n }, never)).rejects.toMatchObject({
      code: 'TURN_IN_PROGRESS',
    });
    expect(never).not.toHaveBeenCalled();
  });
});
