import { coalesced, joined } from './coalesced';

/** An act whose runs end when the test says so. */
function heldAct() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  let running = 0;
  let most = 0;
  const act = () =>
    new Promise<void>((resolve, reject) => {
      running += 1;
      most = Math.max(most, running);
      ends.push({ resolve, reject });
    }).finally(() => (running -= 1));
  return { act, ends, most: () => most };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a coalesced act', () => {
  it('runs once more for all calls that came while it ran, and never twice at once', async () => {
    const { act, ends, most } = heldAct();
    const look = coalesced(act);
    const first = look();
    const later = [look(), look(), look()];
    ends[0]?.resolve();
    await first;
    await settled();
    expect(ends).toHaveLength(2);
    ends[1]?.resolve();
    await Promise.all(later);
    await settled();
    expect([ends.length, most()]).toEqual([2, 1]);
  });

  it('keeps a call that comes between the end of a run and the next one from starting a second', async () => {
    const { act, ends, most } = heldAct();
    const look = coalesced(act);
    const between = look().then(() => look());
    const next = look();
    ends[0]?.resolve();
    await settled();
    ends[1]?.resolve();
    await Promise.all([between, next]);
    expect([ends.length, most()]).toEqual([2, 1]);
  });

  it('tells a failure to those who waited for that run, and runs for the others all the same', async () => {
    const { act, ends } = heldAct();
    const look = coalesced(act);
    const first = look();
    const second = look();
    ends[0]?.reject(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await settled();
    ends[1]?.resolve();
    await expect(second).resolves.toBeUndefined();
  });
});

describe('a joined act', () => {
  it('is shared by calls while it runs, and runs again afterwards', async () => {
    const { act, ends } = heldAct();
    const look = joined(act);
    const both = [look(), look()];
    ends[0]?.resolve();
    await Promise.all(both);
    expect(ends).toHaveLength(1);
    const third = look();
    ends[1]?.resolve();
    await third;
    expect(ends).toHaveLength(2);
  });
});
