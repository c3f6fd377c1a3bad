import type { PushAnswer, PushProposal } from '@chirality/contracts';
import { PushProposals } from './push-proposals';

const PUSHED: PushAnswer = { branch: 'chirality/lamp', commit: 'c'.repeat(40), remote: 'https://git.example.org/a/b' };
const TURN = { id: 'turn_1', sessionId: 'sess_1', teamId: 'team_1', fence: 1n, workspaceFence: null };

/** With what happened, in its order. `mayWork`: what the database says each time it is asked. */
function setUp(mayWork: boolean[]) {
  const acts: unknown[] = [];
  const session = { id: 'sess_1', projectId: 'proj_1', title: 'Lamp', teamId: 'team_1' };
  const parts: ConstructorParameters<typeof PushProposals>[0] = {
    acts: {
      whileTurn: async (_who: unknown, act: (open: unknown) => Promise<unknown>) => {
        acts.push('stored');
        return act({ workspace: {}, repository: {}, project: { id: 'proj_1', source: { kind: 'git', url: '' } } });
      },
    } as never,
    remote: {
      push: async () => {
        acts.push('pushed');
        return { pushed: PUSHED, isNew: true };
      },
    },
    pushes: {
      begin: async () => ({ push: { id: 'push_1' }, isNew: true }) as never,
      findLastDone: async () => null,
      complete: async () => true,
      fail: async (_id, { code }) => {
        acts.push(code);
        return true;
      },
    },
    pullRequests: {
      begin: async () => {
        acts.push('begun');
        return { outcome: 'begun', id: 'pr_1', attempt: 1 } as never;
      },
    },
    pullRequestActs: {
      act: async () => ({ act: 'open-pull-request', opened: { number: 7, url: 'https://x', state: 'open' } }) as never,
    },
    sessions: {
      find: async () => session as never,
      mayWork: async (sessionId, userId) => {
        acts.push([sessionId, userId]);
        return mayWork.shift() ?? false;
      },
    },
    projects: { find: async () => ({ branchPattern: 'chirality/{title}' }) as never },
    onPushed: () => undefined,
    log: { error: () => undefined } as never,
  };
  const proposal = {
    ...{ branch: 'chirality/lamp', commit: PUSHED.commit, uncommittedCount: 0, opensPullRequest: true },
    pullRequest: { title: 'Lamp', body: '', draft: false },
  } as unknown as PushProposal;
  const allowed = { turn: TURN, by: { userId: 'user_1', name: 'Ada' }, proposal, answer: {} };
  return { acts, outcome: () => new PushProposals(parts).carryOut(allowed) };
}

describe('a push that a person allowed', () => {
  const ASKED = ['sess_1', 'user_1'];

  it('reads their right again before anything leaves, and before the pull request', async () => {
    const { acts, outcome } = setUp([true, true]);
    expect(await outcome()).toMatchObject({ isDone: true, text: expect.stringContaining('#7 is open') });
    expect(acts).toEqual(['stored', ASKED, 'pushed', ASKED, 'begun']);
  });

  it('is not made where they lost it after they answered, which Claude reads', async () => {
    const { acts, outcome } = setUp([false]);
    expect(await outcome()).toEqual({
      isDone: false,
      text: 'Nothing was pushed. Ada allowed it, but may no longer write in this session.',
    });
    expect(acts).toEqual(['stored', ASKED, 'FORBIDDEN']);
  });

  it('opens no pull request where they lost it during the push', async () => {
    const { acts, outcome } = setUp([true, false]);
    expect(await outcome()).toMatchObject({
      isDone: false,
      text: expect.stringContaining('No pull request was opened'),
    });
    expect(acts).toEqual(['stored', ASKED, 'pushed', ASKED]);
  });
});
