import { PassThrough } from 'node:stream';
import type { AnsweredPermission } from '@chirality/database';
import { variableMasks } from '@chirality/domain';
import { ControlChannel } from '../harness/claude-code/control-channel';
import { PermissionDesk, type DeskPorts, type NewPermission } from './permission-desk';

function setUp(ports: Partial<DeskPorts> = {}) {
  const stdin = new PassThrough();
  const opened: NewPermission[] = [];
  const rows = new Map<string, AnsweredPermission>();
  let settled = 0;
  const desk = new PermissionDesk(new ControlChannel(stdin), {
    open: async (permission) => {
      opened.push(permission);
      rows.set(permission.id, { id: permission.id, outcome: null, byPerson: true, resolvedReason: null, answer: null });
      return true;
    },
    allSettled: async () => void (settled += 1),
    read: async (ids) => ids.flatMap((id) => rows.get(id) ?? []),
    allowed: async () => true,
    judge: async (_id, _tool, input) =>
      input['command'] === 'cat secret' ? { refused: 'a rule refuses it' } : { input },
    askedFor: () => ({ reason: 'because', patterns: [], agent: null, parentToolUseId: null }),
    onFailure: () => undefined,
    ...ports,
  });
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
  return { desk, opened, said, answer, settledCount: () => settled };
}

const request = (toolUseId: string, tool = 'Bash') => ({
  tool_name: tool,
  tool_use_id: toolUseId,
  input: { command: 'make' },
});

describe('the desk where people are asked', () => {
  it('hands answers over in any order, and settles when none is open', async () => {
    const { desk, said, answer, settledCount } = setUp();
    for (const id of ['a', 'b', 'c']) await desk.ask(`req-${id}`, request(id));
    answer(2, { outcome: 'denied', resolvedReason: 'not now' });
    await desk.look();
    expect(said()).toEqual([
      {
        subtype: 'success',
        request_id: 'req-c',
        response: { behavior: 'deny', message: 'Denied by a person: not now' },
      },
    ]);
    answer(0, { outcome: 'allowed' });
    answer(1, { outcome: 'allowed', answer: { input: { command: 'make test' } } });
    await desk.look();
    expect(said().map(({ request_id, response }) => [request_id, response])).toEqual([
      ['req-a', { behavior: 'allow', updatedInput: { command: 'make' } }],
      ['req-b', { behavior: 'allow', updatedInput: { command: 'make test' } }],
    ]);
    expect(settledCount()).toBe(1);
  });

  it('lets no one allow by a changed input what a rule denies, and notes no such call as allowed', async () => {
    const allowed: string[] = [];
    const { desk, said, answer } = setUp({ allowed: async (id) => allowed.push(id) > 0 });
    await desk.ask('req-a', request('a'));
    answer(0, { outcome: 'allowed', answer: { input: { command: 'cat secret' } } });
    await desk.look();
    expect(said()[0]?.response).toEqual({ behavior: 'deny', message: expect.stringContaining('a rule refuses it') });
    expect(allowed).toEqual([]);
    expect(desk.openIds).toEqual([]);
  });

  it('lets no one allow unchanged what a rule denies by now', async () => {
    const allowed: string[] = [];
    const { desk, said, answer } = setUp({
      judge: async () => ({ refused: 'the rule Bash(make *) refuses it' }),
      allowed: async (id) => allowed.push(id) > 0,
    });
    await desk.ask('req-a', request('a'));
    answer(0, { outcome: 'allowed' });
    await desk.look();
    expect(said()[0]?.response).toEqual({
      behavior: 'deny',
      message: 'A person allowed this, but it is denied: the rule Bash(make *) refuses it.',
    });
    expect(allowed).toEqual([]);
  });

  it('gives the model the words of the person who denied unchanged, and of a rule or the time as what they are', async () => {
    const { desk, said, answer } = setUp();
    for (const id of ['a', 'b', 'c']) await desk.ask(`req-${id}`, request(id));
    const words = `Not like this:\n\n\t"${'x'.repeat(1_900)}"\n  - 'second' line`;
    answer(0, { outcome: 'denied', resolvedReason: words });
    answer(1, {
      outcome: 'denied',
      byPerson: false,
      resolvedReason: 'Denied by the rule Bash(make *), which Ada added.',
    });
    answer(2, { outcome: 'expired', byPerson: false });
    await desk.look();
    expect(said().map(({ response }) => response?.['message'])).toEqual([
      `Denied by a person: ${words}`,
      'Denied by the rule Bash(make *), which Ada added.',
      expect.stringContaining('No one answered'),
    ]);
  });

  it('offers the rules that the policy found, unless one holds a value of the project, and says which sub-agent asks', async () => {
    const asked = {
      reason: 'because',
      patterns: ['Bash(make a)', 'Bash(make b)'],
      agent: { type: 'explore', task: 'look around' },
      parentToolUseId: 'toolu_agent',
    };
    const plain = setUp({ askedFor: () => asked });
    await plain.desk.ask('req-a', request('a'));
    expect(plain.opened[0]).toMatchObject({
      pattern: 'Bash(make a) and Bash(make b)',
      patterns: ['Bash(make a)', 'Bash(make b)'],
      agent: { type: 'explore', task: 'look around' },
      parentToolUseId: 'toolu_agent',
    });
    expect(plain.desk.waiting('toolu_agent')).toHaveLength(1);
    expect(plain.desk.waiting('toolu_other')).toEqual([]);
    const masked = setUp({
      askedFor: () => ({ ...asked, patterns: ['Bash(make hunter2hunter2)'] }),
      masks: () => variableMasks(['hunter2hunter2']),
    });
    await masked.desk.ask('req-a', request('a'));
    expect(masked.opened[0]).toMatchObject({ pattern: null, patterns: [] });
  });

  it('hands an answer over once, however often it is looked for', async () => {
    const { desk, said, answer } = setUp();
    await desk.ask('req-a', request('a'));
    answer(0, { outcome: 'allowed' });
    await Promise.all([desk.look(), desk.look(), desk.look()]);
    expect(said()).toHaveLength(1);
  });

  it('gives a question its answers', async () => {
    const { desk, opened, said, answer } = setUp();
    await desk.ask('req-q', { tool_name: 'AskUserQuestion', tool_use_id: 'q', input: { questions: [] } });
    expect(opened[0]).toMatchObject({ kind: 'question', tool: 'AskUserQuestion', reason: 'because' });
    answer(0, { outcome: 'allowed', answer: { answers: { 'Which?': 'A' } } });
    await desk.look();
    expect(said()[0]?.response).toEqual({
      behavior: 'allow',
      updatedInput: { questions: [], answers: { 'Which?': 'A' } },
    });
  });

  it('does not let a tool run whose question could not be stored, or whose attempt is over', async () => {
    const refusing = setUp({ open: async () => false });
    await refusing.desk.ask('req-a', request('a'));
    expect(refusing.said()[0]).toMatchObject({ subtype: 'error', request_id: 'req-a' });
    const outdated = setUp({ allowed: async () => false });
    await outdated.desk.ask('req-a', request('a'));
    outdated.answer(0, { outcome: 'allowed' });
    await outdated.desk.look();
    expect(outdated.said()[0]).toMatchObject({ subtype: 'error', request_id: 'req-a' });
  });

  it('keeps what was chosen and own words apart, with their line breaks', async () => {
    const { desk, said, answer } = setUp();
    await desk.ask('req-q', { tool_name: 'AskUserQuestion', tool_use_id: 'q', input: { questions: [] } });
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
    await desk.look();
    expect(said()[0]?.response?.['updatedInput']).toMatchObject({
      answers: { both: 'A, B\n\nIn their own words:\nA, "quoted"\nsecond line', own: 'B', chosen: 'A, B', old: 'A, B' },
    });
  });

  it('keeps an answer that could not be acted on for the next look', async () => {
    let away = true;
    const { desk, said, answer } = setUp({
      allowed: async () => (away ? Promise.reject(new Error('database away')) : true),
    });
    await desk.ask('req-a', request('a'));
    answer(0, { outcome: 'allowed' });
    await desk.look();
    expect(said()).toEqual([]);
    away = false;
    await desk.look();
    expect(said()[0]).toMatchObject({ subtype: 'success', request_id: 'req-a', response: { behavior: 'allow' } });
  });

  it('forgets what the program withdrew', async () => {
    const { desk, opened, said, answer } = setUp();
    await desk.ask('req-a', request('a'));
    expect(desk.withdraw('req-a')).toBe(opened[0]?.id);
    answer(0, { outcome: 'allowed' });
    await desk.look();
    expect(said()).toEqual([]);
    expect(desk.withdraw('req-a')).toBeNull();
  });
});
