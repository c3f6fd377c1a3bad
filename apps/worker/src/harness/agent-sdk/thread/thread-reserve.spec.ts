import { waitFor } from '@chirality/testing';
import { join } from 'node:path';
import { ThreadLink } from './thread-link';
import { ThreadReserve } from './thread-reserve';

const THREADS = join(__dirname, '../../../../test/threads');

/** A reserve of quiet threads, each in the order in which it was loaded; `spares` are loaded by another file. */
function setUp(spares = 'loading-thread.cjs') {
  const gate = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  gate[1] = 1;
  const loaded: ThreadLink[] = [];
  const load = () => {
    const isSpare = spares === 'loading-thread.cjs' || loaded.length % 2 === 1;
    const file = join(THREADS, isSpare ? spares : 'loading-thread.cjs');
    const workerData = spares === 'talkative-thread.cjs' && isSpare ? { messages: 3, characters: 10 } : gate;
    const link = new ThreadLink({ file, worker: { workerData } });
    loaded.push(link);
    return link;
  };
  return { loaded, reserve: new ThreadReserve(load, 0) };
}

describe('the thread that is loaded ahead', () => {
  let links: ThreadLink[] = [];
  afterEach(() => {
    for (const link of links) link.terminate();
  });

  it('is loaded after a start, and given to the next one, each to one only', async () => {
    const { loaded, reserve } = setUp();
    links = loaded;
    const first = reserve.take();
    expect(loaded).toEqual([first]);
    await waitFor(() => loaded.length === 2, { what: 'a spare one is loaded' });
    const [, spare] = loaded;
    expect(reserve.take()).toBe(spare);
    const third = reserve.take();
    expect(third).not.toBe(spare);
    expect(loaded).toHaveLength(3);
  });

  it('is not used when it ended meanwhile', async () => {
    const { loaded, reserve } = setUp();
    links = loaded;
    reserve.take();
    await waitFor(() => loaded.length === 2, { what: 'a spare one is loaded' });
    loaded[1]!.terminate();
    expect(reserve.take()).toBe(loaded[2]);
  });

  it('is ended, and not used, when it says anything before it works for a process', async () => {
    const { loaded, reserve } = setUp('talkative-thread.cjs');
    links = loaded;
    reserve.take();
    await waitFor(() => loaded[1]?.isUsable === false, { what: 'the talkative one is ended' });
    expect(reserve.take()).toBe(loaded[2]);
  });
});
