import type { ClaimedFetch } from '@chirality/database';
import type { BlobStore, Logger } from '@chirality/platform';
import { FetchFailedError } from '../workspace/project/fetch-failure';
import type { RemoteFetch } from '../workspace/transport/remote-repositories';
import { SourceFetches } from './source-fetches';

const claimed = (attempt = 1, projectId = 'proj_1'): ClaimedFetch => ({
  projectId,
  teamId: 'team_1',
  name: 'P',
  source: { kind: 'git', url: 'https://git.example.org/r' },
  userId: 'user_1',
  attempt,
  uploadKey: null,
});

const NO_REPORT = { submodules: null, lfs: null, leftOut: null };
const MAIN = { branch: 'main', baseCommit: 'c0ffee' };

/** A worker's fetches with rows, git and blobs in hand. `acts` is what was done to them, in order. */
function bench({
  waiting = [claimed()],
  fetch = async () => MAIN,
  wanted = () => true,
  completes = true,
  failing = 0,
}: {
  waiting?: ClaimedFetch[];
  fetch?: (wanted: RemoteFetch) => Promise<typeof MAIN>;
  wanted?: () => boolean;
  completes?: boolean;
  failing?: number;
} = {}) {
  const acts: string[] = [];
  const ahead: string[] = [];
  let toFail = failing;
  let tell: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => (tell = resolve));
  const act = (what: string) => {
    if (toFail > 0 && !what.startsWith('delete')) {
      toFail -= 1;
      throw new Error('the database is away');
    }
    acts.push(what);
    if (/^(complete|fail|give back)/.test(what)) tell();
  };
  const sources = new SourceFetches({
    worker: { id: 'worker_1', life: 'life' },
    fetches: {
      claimNext: async () => waiting.shift() ?? null,
      report: async () => wanted(),
      complete: async ({ attempt }, key) => {
        act(`complete ${attempt} ${key}`);
        return completes;
      },
      fail: async (_ref, { code }) => {
        act(`fail ${code}`);
        return true;
      },
      giveBack: async ({ attempt }) => act(`give back ${attempt}`),
    },
    remotes: { fetch },
    submodules: { bring: async () => ({ report: NO_REPORT, added: 0 }) },
    uploads: { unpack: async (key) => (acts.push(`unpack ${key}`), { ...MAIN, report: NO_REPORT }) },
    projects: {
      storeFetched: async ({ key }, fill, settle) => {
        const filled = await fill('/aside');
        acts.push(`store ${key}`);
        return settle(filled);
      },
    },
    ahead: {
      prepare: async (_id, { objects, baseCommit }) => void ahead.push(`prepare ${objects} ${baseCommit}`),
      drop: async () => void ahead.push('drop'),
    },
    blobs: { delete: async (key: string) => void acts.push(`delete ${key}`) } as unknown as BlobStore,
    sandbox: { isProven: true },
    log: {
      debug: () => undefined,
      info: (_facts: object, message: string) => message === 'source.dropped' && tell(),
      warn: () => undefined,
      error: () => undefined,
    } as unknown as Logger,
  });
  return { sources, acts, ahead, settled };
}

/** A fetch that runs until it is stopped. */
const endless = ({ stopped }: RemoteFetch) =>
  new Promise<never>((_resolve, reject) => stopped.addEventListener('abort', () => reject(stopped.reason as Error)));

describe('fetching what waits', () => {
  it('stores it under the attempt’s own key, and only then says that it is there', async () => {
    const { sources, acts, ahead, settled } = bench();
    await sources.look();
    await settled;
    await sources.stop();
    expect(acts).toEqual(['store projects/proj_1/fetch-1.bundle', 'complete 1 projects/proj_1/fetch-1.bundle']);
    expect(ahead).toEqual(['prepare /aside/repo.git/objects c0ffee']);
  });

  it('removes what an attempt that died had stored, and what it stored itself when that does not count', async () => {
    const { sources, acts, ahead, settled } = bench({ waiting: [claimed(3)], completes: false });
    await sources.look();
    await settled;
    await sources.stop();
    expect(acts).toEqual([
      'delete projects/proj_1/fetch-2.bundle',
      'store projects/proj_1/fetch-3.bundle',
      'complete 3 projects/proj_1/fetch-3.bundle',
      'delete projects/proj_1/fetch-3.bundle',
    ]);
    expect(ahead).toEqual([expect.stringContaining('prepare'), 'drop']);
  });

  it('unpacks what was uploaded, and removes it once the project has it', async () => {
    const { sources, acts, settled } = bench({
      waiting: [{ ...claimed(), source: { kind: 'upload' }, uploadKey: 'projects/proj_1/upload-1' }],
    });
    await sources.look();
    await settled;
    await sources.stop();
    expect(acts).toEqual([
      'unpack projects/proj_1/upload-1',
      'store projects/proj_1/fetch-1.bundle',
      'complete 1 projects/proj_1/fetch-1.bundle',
      'delete projects/proj_1/upload-1',
    ]);
  });

  it('says why it failed, and keeps trying to say so', async () => {
    const { sources, acts, settled } = bench({
      failing: 1,
      fetch: () => Promise.reject(new FetchFailedError({ code: 'SOURCE_NOT_FOUND', detail: 'x' })),
    });
    await sources.look();
    await settled;
    await sources.stop();
    expect(acts).toEqual(['fail SOURCE_NOT_FOUND']);
  });

  it('gives back what it cannot finish when the worker ends', async () => {
    const { sources, acts } = bench({ fetch: endless });
    await sources.look();
    await sources.stop();
    expect(acts).toEqual(['give back 1']);
  });

  it('stops when it is no longer wanted, and says nothing about it', async () => {
    const { sources, acts, settled } = bench({ fetch: endless, wanted: () => false });
    await sources.look();
    await settled;
    await sources.stop();
    expect(acts).toEqual([]);
  });

  it('has no more than two under way', async () => {
    const { sources, acts } = bench({
      waiting: ['proj_1', 'proj_2', 'proj_3'].map((projectId) => claimed(1, projectId)),
      fetch: endless,
    });
    await sources.look();
    await sources.look();
    await sources.stop();
    expect(acts).toEqual(['give back 1', 'give back 1']);
  });
});
