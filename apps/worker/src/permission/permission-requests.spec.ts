import { variableMasks } from '@chirality/domain';
import { waitFor } from '@chirality/testing';
import { closeRequests, request, setUpRequests } from '../../test/permission-requests-fixture';
import { NO_ANSWER_TO_AGENT } from './answer-texts';

describe('the permission requests of a turn', () => {
  afterEach(closeRequests);

  it('hands answers over in any order, and settles when none is open', async () => {
    const { requests, said, answer, causes } = setUpRequests();
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
    const { requests, said, answer, causes } = setUpRequests({ markAllowed: async (id) => allowed.push(id) > 0 });
    await requests.ask('req-a', request('a'));
    answer(0, { outcome: 'allowed', answer: { input: { command: 'cat secret' } } });
    await requests.look();
    expect(said()[0]?.response).toEqual({ behavior: 'deny', message: expect.stringContaining('a rule refuses it') });
    expect(allowed).toEqual([]);
    expect(causes).toEqual(['permission_asked', 'permission_settled']);
  });

  it('lets no one allow unchanged what a rule denies by now', async () => {
    const allowed: string[] = [];
    const { requests, said, answer } = setUpRequests({
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
    const { requests, said, answer } = setUpRequests();
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
    const plain = setUpRequests({ patterns: ['Bash(make a)', 'Bash(make b)'], asker });
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
    const masked = setUpRequests({
      patterns: ['Bash(make hunter2hunter2)'],
      asker,
      masks: variableMasks(['hunter2hunter2']),
    });
    await masked.requests.ask('req-a', request('a'));
    expect(masked.opened[0]).toMatchObject({ pattern: null, patterns: [] });
  });

  it('hands an answer over once, however often it is looked for', async () => {
    const { requests, said, answer } = setUpRequests();
    await requests.ask('req-a', request('a'));
    answer(0, { outcome: 'allowed' });
    await Promise.all([requests.look(), requests.look(), requests.look()]);
    expect(said()).toHaveLength(1);
  });

  it('gives a question its answers', async () => {
    const { requests, opened, said, answer } = setUpRequests();
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
    const refusing = setUpRequests({ isOver: true });
    await refusing.requests.ask('req-a', request('a'));
    expect(refusing.said()[0]).toMatchObject({ subtype: 'error', request_id: 'req-a' });
    const outdated = setUpRequests({ markAllowed: async () => false });
    await outdated.requests.ask('req-a', request('a'));
    outdated.answer(0, { outcome: 'allowed' });
    await outdated.requests.look();
    expect(outdated.said()[0]).toMatchObject({ subtype: 'error', request_id: 'req-a' });
  });

  it('keeps what was chosen and own words apart, with their line breaks', async () => {
    const { requests, said, answer } = setUpRequests();
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
    const { requests, said, answer } = setUpRequests({
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
    const { requests, opened, said, answer, ended, causes } = setUpRequests();
    await requests.ask('req-a', request('a'));
    await requests.withdraw('req-a', 'expired');
    expect([ended, causes]).toEqual([[[[opened[0]?.id], 'expired']], ['permission_asked', 'permission_settled']]);
    answer(0, { outcome: 'allowed' });
    await requests.look();
    expect(said()).toEqual([]);
    await requests.withdraw('req-a', 'run_ended');
    expect(ended).toHaveLength(1);
  });

  it('denies what an agent’s turn asks in time, though people are present, and says why', async () => {
    const { requests, ended, reasons } = setUpRequests({ identityClass: 'agent', unattendedMs: 100 });
    await requests.ask('req-a', request('a'));
    await waitFor(async () => ended.length > 0, { what: 'the request is ended' });
    expect([ended[0]?.[1], reasons[0]]).toEqual(['expired', NO_ANSWER_TO_AGENT]);
  });
});
