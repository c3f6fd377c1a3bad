import { waitFor } from '@chirality/testing';
import { join } from 'node:path';
import { ThreadLink } from './thread-link';

const LOADING_THREAD = join(__dirname, '../../../../test/threads/loading-thread.cjs');

it('lets a thread load before it ends it, since Node fails with the whole process otherwise', async () => {
  const gate = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const ended: (string | null)[] = [];
  const link = new ThreadLink({ file: LOADING_THREAD, pingEveryMs: 5, worker: { workerData: gate } });
  link.workFor({ heard: () => undefined, threw: () => undefined, ended: (fault) => ended.push(fault) });
  await waitFor(async () => Atomics.load(gate, 0) === 1, { what: 'the thread loads' });
  link.terminate();
  expect(ended).toEqual([null]);
  Atomics.store(gate, 1, 1);
  Atomics.notify(gate, 1);
  await waitFor(async () => Atomics.load(gate, 2) === 1, { what: 'the thread has loaded' });
});
