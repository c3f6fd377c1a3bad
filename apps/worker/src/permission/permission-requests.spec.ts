import { PassThrough } from 'node:stream';
import type { PushProposal } from '@chirality/contracts';
import type { AnsweredPermission } from '@chirality/database';
import { variableMasks, type ProposedPush } from '@chirality/domain';
import { ControlChannel } from '../harness/claude-code/control-channel';
import type { ActiveTurn } from '../record/active-turn';
import { PermissionRequests } from './permission-requests';
import type { NewPermission, PermissionStore } from './permission-store';
import type { ToolGate } from './tool-gate';

type Fakes = {
  isOver?: boolean;
  patterns?: string[];
  asker?: { agent: { type: string; task: string } | null; parentToolUseId: string | null };
  masks?: ReturnType<typeof variableMasks>;
  judge?: ToolGate['judge'];
  markAllowed?: (toolUseId: string) => Promise<boolean>;
  push?: ProposedPush;
  pushes?: ConstructorParameters<typeof PermissionRequests>[6];
};

function setUp(fakes: Fakes = {}) {
  const stdin = new PassThrough();
  const opened: NewPermission[] = [];
  const rows = new Map<string, AnsweredPermission>();
  const causes: unknown[] = [];
  const ended: [string[], string][] = [];
  const state = {
    status: 'running',
    attempt: { turnId: 'turn_1', sessionId: 'sess_1', attempt: 1, fence: 1n },
    change: async (cause: string | null, _events: unknown, also?: (tx: never) => Promise<void>) => {
      if (fakes.isOver) return false;
      await also?.(undefined as never);
      causes.push(cause);
      if (cause !== null) state.status = cause === 'permission_asked' ? 'awaiting_permission' : 'running';
      return true;
    },
  };
  const turn = {
    claimed: { sessionId: 'sess_1', author: { identityClass: 'human' } },
    recorder: { masks: fakes.masks },
    state,
    log: { warn: () => undefined },
  } as unknown as ActiveTurn;
  const store = {
    insert: async (_tx: unknown, _attempt: unknown, permission: NewPermission) => {
      opened.push(permission);
      rows.set(permission.id, {
        id: permission.id,
        outcome: null,
        by: { userId: 'user_1', name: 'Ada' },
        resolvedReason: null,
        answer: null,
      });
    },
    readAnswers: async (ids: string[]) => ids.flatMap((id) => rows.get(id) ?? []),
    countAnswerers: async () => 1,
    end: async (_attempt: unknown, ids: string[], { outcome }: { outcome: string }) => void ended.push([ids, outcome]),
    moveDeadlines: async () => undefined,
  } as unknown as PermissionStore;
  const requests = new PermissionRequests(
    new ControlChannel(stdin),
    turn,
    {
      judge:
        fakes.judge ??
        (async (_id, _tool, input) =>
          input['command'] === 'cat secret' ? { refused: 'a rule refuses it' } : { input }),
      reconsider: async () => null,
      noteAllowed: () => undefined,
      decisionFor: () => ({
        ...{ decision: 'ask', reason: 'because', pattern: null, patterns: fakes.patterns ?? [] },
        ...(fakes.push ? { push: fakes.push } : {}),
      }),
      agentTypeOf: () => null,
    },
    { askerOf: () => fakes.asker ?? { agent: null, parentToolUseId: null } },
    store,
    { markAllowed: async (_attempt, toolUseId) => fakes.markAllowed?.(toolUseId) ?? true },
    fakes.pushes ?? {
      describe: async () => ({ refused: '' }),
      carryOut: () => Promise.reject(new Error('never')),
      ended: async () => {},
    },
    { waitMs: 3_600_000, unattendedMs: 60_000 },
  );
  created.push(requests);
  const said = () =>
    String(stdin.read() ?? '')
      .split('\n')
      .filter(Boolean)
      .map(
        (line) =>
          (
            JSON.parse(line) as {
              response: { request_id: string; subtype: string; response?: Record<string, unknown> };
            }
          ).response,
      );
  const answer = (index: number, change: Partial<AnsweredPermission>) => {
    const id = opened[index]?.id as string;
    rows.set(id, { ...(rows.get(id) as AnsweredPermission), ...change });
  };
  return { requests, opened, said, answer, causes, ended };
}

const request = (toolUseId: string, tool = 'Bash') => ({
  tool_name: tool,
  tool_use_id: toolUseId,
  input: { command: 'make' },
});

const created: PermissionRequests[] = [];

describe('the permission requests of a turn', () => {
  afterEach(() => Promise.all(created.splice(0).map((requests) => requests.close('run_ended'))));

  it('hands answers over in any order, and settles when none is open', async () => {
    const { requests, said, answer, causes } = setUp();
    for (const id of ['a', 'b', 'c']) await requests.ask(`req-${id}`, request(id));
    answer(2, { outcome: 'denied', resolvedReason: 'not now' });
    await requests.look();
    expect(said()).toEqual([
      {
        subtype: 'success',
        request_id: 'req-c',
        response: { behavior: 'deny', message: 'Denied by a person: not now' },
      },
    ]);
    answer(0, { outcome: 'allowed' });
    answer(1, { outcome: 'allowed', answer: { input: { command: 'make test' } } });
    await requests.look();
    expect(said().map(({ request_id, response }) => [request_id, response])).toEqual([
      ['req-a', { behavior: 'allow', updatedInput: { command: 'make' } }],
      ['req-b', { behavior: 'allow', updatedInput: { command: 'make test' } }],
    ]);
    expect(causes).toEqual(['permission_asked', null, null, 'permission_settled']);
  });

  it('lets no one allow by a changed input what a rule denies, and notes no such call as allowed', async () => {
    const allowed: string[] = [];
    const { requests, said, answer, causes } = setUp({ markAllowed: async (id) => allowed.push(id) > 0 });
    await requests.ask('req-a', request('a'));
    answer(0, { outcome: 'allowed', answer: { input: { command: 'cat secret' } } });
    await requests.look();
    expect(said()[0]?.response).toEqual({ behavior: 'deny', message: expect.stringContaining('a rule refuses it') });
    expect(allowed).toEqual([]);
    expect(causes).toEqual(['permission_asked', 'permission_settled']);
  });

  it('lets no one allow unchanged what a rule denies by now', async () => {
    const allowed: string[] = [];
    const { requests, said, answer } = setUp({
      judge: async () => ({ refused: 'the rule Bash(make *) refuses it' }),
      markAllowed: async (id) => allowed.push(id) > 0,
    });
    await requests.ask('req-a', request('a'));
    answer(0, { outcome: 'allowed' });
    await requests.look();
    expect(said()[0]?.response).toEqual({
      behavior: 'deny',
      message: 'A person allowed this, but it is denied: the rule Bash(make *) refuses it.',
    });
    expect(allowed).toEqual([]);
  });

  it('gives the model the words of the person who denied unchanged, and of a rule or the time as what they are', async () => {
    const { requests, said, answer } = setUp();
    for (const id of ['a', 'b', 'c']) await requests.ask(`req-${id}`, request(id));
    const words = `Not like this:\n\n\t"${'x'.repeat(1_900)}"\n  - 'second' line`;
    answer(0, { outcome: 'denied', resolvedReason: words });
    answer(1, {
      outcome: 'denied',
      by: null,
      resolvedReason: 'Denied by the rule Bash(make *), which Ada added.',
    });
    answer(2, { outcome: 'expired', by: null });
    await requests.look();
    expect(said().map(({ response }) => response?.['message'])).toEqual([
      `Denied by a person: ${words}`,
      'Denied by the rule Bash(make *), which Ada added.',
      expect.stringContaining('No one answered'),
    ]);
  });

  it('offers the rules that the policy found, unless one holds a value of the project, and says which sub-agent asks', async () => {
    const asker = { agent: { type: 'explore', task: 'look around' }, parentToolUseId: 'toolu_agent' };
    const plain = setUp({ patterns: ['Bash(make a)', 'Bash(make b)'], asker });
    await plain.requests.ask('req-a', request('a'));
    expect(plain.opened[0]).toMatchObject({
      pattern: 'Bash(make a) and Bash(make b)',
      patterns: ['Bash(make a)', 'Bash(make b)'],
      agent: { type: 'explore', task: 'look around' },
      parentToolUseId: 'toolu_agent',
    });
    await plain.requests.endOf('toolu_other');
    expect(plain.ended).toEqual([]);
    await plain.requests.endOf('toolu_agent');
    expect(plain.ended).toEqual([[[plain.opened[0]?.id], 'run_ended']]);
    const masked = setUp({
      patterns: ['Bash(make hunter2hunter2)'],
      asker,
      masks: variableMasks(['hunter2hunter2']),
    });
    await masked.requests.ask('req-a', request('a'));
    expect(masked.opened[0]).toMatchObject({ pattern: null, patterns: [] });
  });

  it('hands an answer over once, however often it is looked for', async () => {
    const { requests, said, answer } = setUp();
    await requests.ask('req-a', request('a'));
    answer(0, { outcome: 'allowed' });
    await Promise.all([requests.look(), requests.look(), requests.look()]);
    expect(said()).toHaveLength(1);
  });

  it('gives a question its answers', async () => {
    const { requests, opened, said, answer } = setUp();
    await requests.ask('req-q', { tool_name: 'AskUserQuestion', tool_use_id: 'q', input: { questions: [] } });
    expect(opened[0]).toMatchObject({ kind: 'question', tool: 'AskUserQuestion', reason: 'because' });
    answer(0, { outcome: 'allowed', answer: { answers: { 'Which?': 'A' } } });
    await requests.look();
    expect(said()[0]?.response).toEqual({
      behavior: 'allow',
      updatedInput: { questions: [], answers: { 'Which?': 'A' } },
    });
  });

  it('does not let a tool run whose question could not be stored, or whose attempt is over', async () => {
    const refusing = setUp({ isOver: true });
    await refusing.requests.ask('req-a', request('a'));
    expect(refusing.said()[0]).toMatchObject({ subtype: 'error', request_id: 'req-a' });
    const outdated = setUp({ markAllowed: async () => false });
    await outdated.requests.ask('req-a', request('a'));
    outdated.answer(0, { outcome: 'allowed' });
    await outdated.requests.look();
    expect(outdated.said()[0]).toMatchObject({ subtype: 'error', request_id: 'req-a' });
  });

  it('keeps what was chosen and own words apart, with their line breaks', async () => {
    const { requests, said, answer } = setUp();
    await requests.ask('req-q', { tool_name: 'AskUserQuestion', tool_use_id: 'q', input: { questions: [] } });
    answer(0, {
      outcome: 'allowed',
      answer: {
        answers: {
          both: { chosen: ['A', 'B'], own: 'A, "quoted"\nsecond line' },
          own: { chosen: [], own: 'B' },
          chosen: { chosen: ['A', 'B'], own: ' ' },
          old: 'A, B',
        },
      },
    });
    await requests.look();
    expect(said()[0]?.response?.['updatedInput']).toMatchObject({
      answers: { both: 'A, B\n\nIn their own words:\nA, "quoted"\nsecond line', own: 'B', chosen: 'A, B', old: 'A, B' },
    });
  });

  it('keeps an answer that could not be acted on for the next look', async () => {
    let away = true;
    const { requests, said, answer } = setUp({
      markAllowed: async () => (away ? Promise.reject(new Error('database away')) : true),
    });
    await requests.ask('req-a', request('a'));
    answer(0, { outcome: 'allowed' });
    await requests.look();
    expect(said()).toEqual([]);
    away = false;
    await requests.look();
    expect(said()[0]).toMatchObject({ subtype: 'success', request_id: 'req-a', response: { behavior: 'allow' } });
  });

  it('forgets what the program withdrew', async () => {
    const { requests, opened, said, answer, ended, causes } = setUp();
    await requests.ask('req-a', request('a'));
    await requests.withdraw('req-a', 'expired');
    expect([ended, causes]).toEqual([[[[opened[0]?.id], 'expired']], ['permission_asked', 'permission_settled']]);
    answer(0, { outcome: 'allowed' });
    await requests.look();
    expect(said()).toEqual([]);
    await requests.withdraw('req-a', 'run_ended');
    expect(ended).toHaveLength(1);
  });
});

describe('a push that a turn proposes', () => {
  afterEach(() => Promise.all(created.splice(0).map((requests) => requests.close('run_ended'))));

  const push: ProposedPush = { branch: null, pullRequest: null };
  const PROPOSAL = { branch: 'b', commit: 'c' } as PushProposal;

  it('is made once by the person who allows it, while other answers are handed over', async () => {
    const carried: unknown[] = [];
    let done: (outcome: { isDone: boolean; text: string }) => void = () => undefined;
    const { requests, opened, said, answer, causes } = setUp({
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
    const { requests, said, answer } = setUp({
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
    const { requests, opened, said } = setUp({
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
      const { requests, said, answer } = setUp({ push, pushes: never, ...fakes });
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
