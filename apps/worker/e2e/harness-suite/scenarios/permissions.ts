import type { Scenario } from '../scenario';
import { call, calls } from './calls';

const touch = (file: string) => call('Bash', { command: `touch ${file}` });
const QUESTION = {
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      multiSelect: false,
      options: [
        { label: 'Red', description: 'warm' },
        { label: 'Blue', description: 'cold' },
      ],
    },
  ],
};

/** Who decides about a tool, and what the model and people learn of it. */
export const permissions: Scenario[] = [
  {
    name: 'what is asked and allowed runs; what is denied does not, and the model learns why',
    proves: 'H11 P2',
    turns: [
      {
        says: `${touch('yes.txt')} ${touch('no.txt')} [[text Tried both.]]`,
        meanwhile: async (live) => {
          await live.answer({ decision: 'allow_once' });
          await live.answer({ decision: 'deny', reason: 'Only the first.' }, 2);
        },
        ends: { status: 'completed', text: 'Tried both.' },
        inOrder: [
          'tool:start',
          'permission:request',
          'permission:resolve',
          'tool:result',
          'permission:request',
          'permission:resolve',
          'tool:result',
        ],
        shows: async (seen) => {
          expect(seen.turn.permissionDenials).toMatchObject([{ tool: 'Bash', input: { command: 'touch no.txt' } }]);
          expect(seen.lastAsked).toContain('Only the first.');
          expect(await seen.file('yes.txt')).toBe('');
          expect(await seen.file('no.txt')).toBeNull();
        },
      },
    ],
  },
  {
    name: 'commands that only read ask no one',
    proves: 'P1',
    turns: [
      {
        says: `${call('Bash', { command: 'ls -la && git status' })} [[text Looked.]]`,
        ends: { status: 'completed', text: 'Looked.' },
        shows: (seen) =>
          expect({ asked: seen.of('permission:request'), failed: seen.tools.map(({ isError }) => isError) }).toEqual({
            asked: [],
            failed: [false],
          }),
      },
    ],
  },
  {
    name: 'a strict session asks even for ls, and before every edit',
    proves: 'P1',
    session: { options: { strict: true } },
    turns: [
      {
        says: `${call('Bash', { command: 'ls' })} ${call('Write', { file_path: '/workspace/s.txt', content: 's' })} [[text Asked twice.]]`,
        meanwhile: async (live) => {
          await live.answer({ decision: 'allow_once' });
          await live.answer({ decision: 'deny' }, 2);
        },
        ends: { status: 'completed', text: 'Asked twice.' },
        shows: (seen) => expect(seen.of('permission:request').map(({ tool }) => tool)).toEqual(['Bash', 'Write']),
      },
    ],
  },
  {
    name: 'questions about tools called at once are open together and answered one by one',
    proves: 'P2',
    session: { options: { strict: true } },
    turns: [
      {
        says: `${calls([
          ['Bash', { command: 'ls' }],
          ['Bash', { command: 'pwd' }],
        ])} [[text Both answered.]]`,
        meanwhile: async (live) => {
          await live.answer({ decision: 'allow_once' }, 2);
          await live.answer({ decision: 'allow_once' }, 1);
        },
        ends: { status: 'completed', text: 'Both answered.' },
        shows: (seen) => expect(seen.tools.map(({ isError }) => isError)).toEqual([false, false]),
      },
    ],
  },
  {
    name: 'a tool that a rule approves beforehand asks no one, and only that',
    proves: 'P1',
    session: { options: { autoApproveTools: ['Bash(touch ok.txt)'] } },
    turns: [
      {
        says: `${touch('ok.txt')} ${touch('other.txt')} [[text One was asked about.]]`,
        meanwhile: (live) => live.answer({ decision: 'deny' }),
        ends: { status: 'completed', text: 'One was asked about.' },
        shows: async (seen) => {
          expect(seen.of('permission:request')).toMatchObject([{ input: { command: 'touch other.txt' } }]);
          expect(await seen.file('ok.txt')).toBe('');
        },
      },
    ],
  },
  {
    name: 'a tool that is taken away is not there for the model',
    proves: 'H1 P1',
    session: { options: { disallowedTools: ['Write'] } },
    turns: [
      {
        says: `${call('Write', { file_path: '/workspace/w.txt', content: 'w' })} [[text Could not.]]`,
        ends: { status: 'completed', text: 'Could not.' },
        shows: async (seen) => {
          expect(seen.tools).toMatchObject([{ name: 'Write', isError: true }]);
          expect((seen.of('session:init')[0]?.['tools'] as string[]).includes('Write')).toBe(false);
          expect(await seen.file('w.txt')).toBeNull();
        },
      },
    ],
  },
  {
    name: 'a session with few tools offers the model those alone',
    proves: 'H1 H18',
    session: { options: { tools: ['Read', 'Grep'] } },
    turns: [
      {
        says: `${call('Bash', { command: 'ls' })} [[text No shell.]]`,
        ends: { status: 'completed', text: 'No shell.' },
        shows: (seen) => {
          expect([...(seen.of('session:init')[0]?.['tools'] as string[])].sort()).toEqual(['Grep', 'Read']);
          const offered = (seen.requests[0]?.body as { tools: { name: string }[] }).tools
            .map(({ name }) => name)
            .filter((name) => name !== 'DeferredToolPlaceholder')
            .sort();
          expect(offered).toEqual(['Grep', 'Read']);
          expect(seen.tools).toMatchObject([{ name: 'Bash', isError: true }]);
        },
      },
    ],
  },
  {
    name: 'the network is refused without asking, since the sandbox has none',
    proves: 'S1 P1',
    turns: [
      {
        says: `${call('WebFetch', { url: 'https://example.com/', prompt: 'read' })} [[text No network.]]`,
        ends: { status: 'completed', text: 'No network.' },
        shows: (seen) =>
          expect({ asked: seen.of('permission:request').length, failed: seen.tools[0]?.isError }).toEqual({
            asked: 0,
            failed: true,
          }),
      },
    ],
  },
  {
    name: 'a session that does not ask denies what it would have asked, says so, and continues',
    proves: 'H11',
    session: { options: { permissionMode: 'dontAsk' } },
    turns: [
      {
        says: `${touch('never.txt')} ${call('Bash', { command: 'ls' })} [[text Continued.]]`,
        ends: { status: 'completed', text: 'Continued.' },
        shows: async (seen) => {
          expect(seen.notices('PERMISSION_DENIED')).toHaveLength(1);
          expect(seen.turn.permissionDenials).toMatchObject([{ tool: 'Bash' }]);
          expect(seen.tools.map(({ isError }) => isError)).toEqual([true, false]);
          expect(await seen.file('never.txt')).toBeNull();
        },
      },
    ],
  },
  {
    name: 'a pipeline ends at the first tool that it would have to ask about',
    proves: 'H11',
    session: { mode: 'pipeline' },
    turns: [
      {
        // The turn is ended by us: a model that answered at once could be quicker than that on a busy machine.
        says: `[[text I begin.]]&${call('Glob', { pattern: '*' })} ${touch('never.txt')} [[hang]]`,
        ends: { status: 'failed', code: 'PERMISSION_DENIED' },
        shows: async (seen) => {
          expect(seen.of('permission:request')).toEqual([]);
          expect(seen.turn.text).toBe('I begin.');
          expect(await seen.file('never.txt')).toBeNull();
        },
      },
    ],
  },
  {
    name: 'a question of the model is put to a person and comes back answered',
    proves: 'P2',
    turns: [
      {
        says: `${call('AskUserQuestion', QUESTION)} [[text Thank you.]]`,
        meanwhile: (live) => live.answer({ decision: 'allow_once', answers: { 'Which colour?': 'Blue' } }),
        ends: { status: 'completed', text: 'Thank you.' },
        shows: (seen) => {
          expect(seen.of('permission:request')).toMatchObject([{ kind: 'question', input: QUESTION }]);
          expect(JSON.stringify(seen.tools[0]?.content)).toContain('Blue');
        },
      },
    ],
  },
  {
    name: 'a skipped question is refused, and the model continues',
    proves: 'P2',
    turns: [
      {
        says: `${call('AskUserQuestion', QUESTION)} [[text I choose myself.]]`,
        meanwhile: (live) => live.answer({ decision: 'deny', reason: 'Choose yourself.' }),
        ends: { status: 'completed', text: 'I choose myself.' },
        shows: (seen) => expect(seen.lastAsked).toContain('Choose yourself.'),
      },
    ],
  },
  {
    name: 'a sub-agent’s tools are asked about like any other',
    proves: 'P2 E2',
    turns: [
      {
        says: `${call('Task', { description: 'job', subagent_type: 'general-purpose', prompt: `${touch('agent.txt')} [[text Not allowed.]]` })} [[text Reported.]]`,
        meanwhile: (live) => live.answer({ decision: 'deny', reason: 'No.' }),
        ends: { status: 'completed', text: 'Reported.' },
        shows: async (seen) => {
          expect(seen.of('permission:request')).toMatchObject([
            {
              tool: 'Bash',
              input: { command: 'touch agent.txt' },
              agent: { type: 'general-purpose', task: 'job' },
              parentToolUseId: expect.any(String) as unknown,
            },
          ]);
          expect(await seen.file('agent.txt')).toBeNull();
        },
      },
    ],
  },
  {
    name: 'a question with no one present to answer is denied after a while',
    proves: 'P3 H8',
    patient: true,
    turns: [
      {
        says: `${touch('alone.txt')} [[text Without it.]]`,
        ends: { status: 'completed', text: 'Without it.' },
        shows: (seen) => {
          expect(seen.of('permission:resolve')).toMatchObject([
            { outcome: 'expired', reason: expect.stringContaining('No one was present') as unknown },
          ]);
          expect(seen.lastAsked).toContain('No one was present');
        },
      },
    ],
  },
];
