import type { PushProposal } from '@chirality/contracts';
import type { ProposedPush } from '@chirality/domain';
import { closeRequests, request, setUpRequests } from '../../test/permission-requests-fixture';

describe('a push that a turn proposes', () => {
  afterEach(closeRequests);

  const push: ProposedPush = { branch: null, pullRequest: null };
  const PROPOSAL = { branch: 'b', commit: 'c' } as PushProposal;

  it('is made once by the person who allows it, while other answers are handed over', async () => {
    const carried: unknown[] = [];
    let done: (outcome: { isDone: boolean; text: string }) => void = () => undefined;
    const { requests, opened, said, answer, causes } = setUpRequests({
      push,
      pushes: {
        describe: async () => PROPOSAL,
        carryOut: (proposal, { by, answer: given }) => {
          carried.push([proposal, by, given]);
          return new Promise((resolve) => (done = resolve));
        },
        ended: async () => undefined,
      },
    });
    await requests.ask('req-a', request('a'));
    await requests.ask('req-b', request('b'));
    expect(opened[0]).toMatchObject({ proposal: PROPOSAL });
    answer(0, { outcome: 'allowed', answer: { proposal: { branch: 'mine' } } });
    await requests.look();
    answer(1, { outcome: 'denied', resolvedReason: 'not yet' });
    await requests.look();
    await requests.look();
    expect(said()).toMatchObject([{ request_id: 'req-b', response: { behavior: 'deny' } }]);
    expect(carried).toEqual([[PROPOSAL, { userId: 'user_1', name: 'Ada' }, { proposal: { branch: 'mine' } }]]);
    done({ isDone: true, text: "Ada's branch\nis there" });
    await new Promise(setImmediate);
    expect(said()).toEqual([
      {
        subtype: 'success',
        request_id: 'req-a',
        response: {
          behavior: 'allow',
          updatedInput: {
            command: `printf '%s\\n' 'Ada'\\''s branch is there'`,
            description: 'What came of the push',
          },
        },
      },
    ]);
    expect(causes.at(-1)).toBe('permission_settled');
  });

  it('is a failed command where it could not be made', async () => {
    const { requests, said, answer } = setUpRequests({
      push,
      pushes: {
        describe: async () => PROPOSAL,
        carryOut: async () => ({ isDone: false, text: 'The branch main is protected.' }),
        ended: async () => undefined,
      },
    });
    await requests.ask('req-a', request('a'));
    answer(0, { outcome: 'allowed' });
    await requests.look();
    await new Promise(setImmediate);
    expect(said()).toMatchObject([
      {
        response: { behavior: 'allow', updatedInput: { command: expect.stringMatching(/protected\.' >&2; exit 1$/) } },
      },
    ]);
  });

  it('that has nothing to send is put to no one', async () => {
    const { requests, opened, said } = setUpRequests({
      push,
      pushes: {
        describe: async () => ({ refused: 'Commit first.' }),
        carryOut: () => Promise.reject(new Error('never')),
        ended: async () => undefined,
      },
    });
    await requests.ask('req-a', request('a'));
    expect(opened).toEqual([]);
    expect(said()).toMatchObject([{ response: { behavior: 'deny', message: 'Commit first.' } }]);
  });

  it('is not made where the attempt is over, or a rule denies it by now', async () => {
    const never = {
      describe: async () => PROPOSAL,
      carryOut: () => Promise.reject(new Error('never')),
      ended: async () => undefined,
    };
    for (const fakes of [
      { markAllowed: async () => false },
      { judge: async () => ({ refused: 'a rule refuses it' }) },
    ]) {
      const { requests, said, answer } = setUpRequests({ push, pushes: never, ...fakes });
      await requests.ask('req-a', request('a'));
      answer(0, { outcome: 'allowed' });
      await requests.look();
      await new Promise(setImmediate);
      const [response] = said();
      expect([response?.subtype, response?.response?.['behavior']]).toEqual(
        'judge' in fakes ? ['success', 'deny'] : ['error', undefined],
      );
    }
  });
});
