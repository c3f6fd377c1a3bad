import type { ClaimedRefresh } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import { RemoteFailedError } from '../workspace/transport/git-failure';
import type { RefreshedFiles, WantedRefresh } from '../workspace/remote/remote-refresh';
import { ProjectRefreshes } from './project-refreshes';

const claimed = (changes: Partial<ClaimedRefresh> = {}): ClaimedRefresh => ({
  projectId: 'proj_1',
  teamId: 'team_1',
  name: 'P',
  source: { kind: 'git', url: 'https://git.example.org/r' },
  userId: 'user_1',
  attempt: 1,
  bundleKey: 'old',
  replacedBundleKey: null,
  ...changes,
});
const KEY = 'projects/proj_1/refresh-1/whole.bundle';
const NEW: RefreshedFiles = { bundleKey: KEY, branch: 'main', baseCommit: 'c2', note: null, report: null };
const UNCHANGED: RefreshedFiles = { ...NEW, bundleKey: null };

/** A worker's refreshes with rows and remote in hand. `acts` is what was done to them, in order. */
function bench({
  waiting = [claimed()],
  bring = async () => NEW,
  wanted = () => true,
  completes = true,
}: {
  waiting?: ClaimedRefresh[];
  bring?: (wanted: WantedRefresh) => Promise<RefreshedFiles>;
  wanted?: () => boolean;
  completes?: boolean;
} = {}) {
  const acts: string[] = [];
  const asked: string[][] = [];
  const refreshes = new ProjectRefreshes({
    worker: { id: 'worker_1', life: 'life' },
    refreshes: {
      claimNext: async (_worker, { running }) => {
        asked.push(running.map(({ projectId, teamId }) => `${projectId} of ${teamId}`));
        return waiting.shift() ?? null;
      },
      report: async () => wanted(),
      complete: async ({ attempt }, from, { bundleKey }) => {
        acts.push(`complete ${attempt} ${from} ${bundleKey}`);
        return completes;
      },
      fail: async (_ref, { code }) => {
        acts.push(`fail ${code}`);
        return true;
      },
      giveBack: async ({ attempt }) => void acts.push(`give back ${attempt}`),
    },
    remote: { bring },
    projects: {
      ensure: async () => ({ path: '/p', bundleKey: 'old', objects: '/o', branch: 'main', baseCommit: 'c1' }),
    },
    personas: { read: async (projectId) => (acts.push(`personas ${projectId}`), 'c2') },
    blobs: { delete: async (key: string) => void acts.push(`delete ${key}`) },
    sandbox: { isProven: true },
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
    } as unknown as Logger,
  });
  const run = async () => {
    await refreshes.look();
    await new Promise((resolve) => setImmediate(resolve));
    await refreshes.stop();
    return acts;
  };
  return { refreshes, acts, asked, run };
}

const endless = ({ stopped }: WantedRefresh) =>
  new Promise<never>((_resolve, reject) => stopped.addEventListener('abort', () => reject(stopped.reason as Error)));

describe('refreshing what waits', () => {
  it('makes the new bundle the project’s in one statement, then reads its personas again', async () => {
    expect(await bench().run()).toEqual([`complete 1 old ${KEY}`, 'personas proj_1']);
  });

  it('reads nothing again where nothing is new', async () => {
    expect(await bench({ bring: async () => UNCHANGED }).run()).toEqual(['complete 1 old null']);
  });

  it('removes what an attempt that died had stored and the state before the last, and never the state that counts', async () => {
    const waiting = [claimed({ attempt: 3, replacedBundleKey: 'projects/proj_1/fetch-1.bundle' })];
    expect(await bench({ waiting, bring: async () => UNCHANGED }).run()).toEqual([
      'delete projects/proj_1/refresh-2',
      'delete projects/proj_1/fetch-1.bundle',
      'complete 3 old null',
    ]);
    const counts = [claimed({ attempt: 2, bundleKey: KEY })];
    expect(await bench({ waiting: counts, bring: async () => UNCHANGED }).run()).toEqual([`complete 2 ${KEY} null`]);
  });

  it('removes what it stored itself when another refresh counts', async () => {
    expect(await bench({ completes: false }).run()).toEqual([
      `complete 1 old ${KEY}`,
      'delete projects/proj_1/refresh-1',
    ]);
  });

  it('says why it failed', async () => {
    const bring = () => Promise.reject(new RemoteFailedError({ code: 'GIT_AUTH_FAILED', detail: 'x' }));
    expect(await bench({ bring }).run()).toEqual(['fail GIT_AUTH_FAILED']);
    expect(await bench({ bring: () => Promise.reject(new Error('a fault')) }).run()).toEqual(['fail GIT_FAILED']);
  });

  it('runs four at once, and says whose they are so that no team takes all of that', async () => {
    const waiting = [1, 2, 3, 4, 5].map((n) => claimed({ projectId: `proj_${n}`, teamId: `team_${n}` }));
    const { run, asked } = bench({ waiting, bring: endless });
    expect(await run()).toHaveLength(4);
    expect(asked.at(-1)).toEqual(['proj_1 of team_1', 'proj_2 of team_2', 'proj_3 of team_3']);
  });

  it('gives back what it cannot finish, and is silent about what is no longer wanted', async () => {
    expect(await bench({ bring: endless }).run()).toEqual(['give back 1']);
    expect(await bench({ bring: endless, wanted: () => false }).run()).toEqual([]);
  });
});
