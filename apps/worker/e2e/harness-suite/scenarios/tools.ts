import type { Scenario } from '../scenario';
import { call, calls } from './calls';

/** A picture of one red pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: 'code', id: 'c1', metadata: {}, source: ['1 + 1'], outputs: [], execution_count: null }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});
const subAgent = (prompt: string) => call('Task', { description: 'A job', subagent_type: 'general-purpose', prompt });

/** The tools of the program, each kind of them. */
export const tools: Scenario[] = [
  {
    name: 'Write makes a file and Read reads it',
    proves: 'H1 D1',
    turns: [
      {
        says: `${call('Write', { file_path: '/workspace/a.txt', content: 'one\ntwo\n' })} ${call('Read', { file_path: '/workspace/a.txt' })} [[text Written and read.]]`,
        ends: { status: 'completed', text: 'Written and read.' },
        inOrder: ['tool:start', 'tool:result', 'tool:start', 'tool:result', 'chat:complete'],
        shows: async (seen) => {
          expect(seen.tools).toMatchObject([
            { name: 'Write', mutating: true, isError: false, parent: null },
            { name: 'Read', mutating: false, isError: false },
          ]);
          expect(JSON.stringify(seen.tools[1]?.content)).toContain('two');
          expect(await seen.file('a.txt')).toBe('one\ntwo\n');
          expect(seen.notices('FILES_CHANGED')).toHaveLength(1);
        },
      },
    ],
  },
  {
    name: 'Edit changes a file and shows which lines',
    proves: 'D1',
    turns: [
      {
        says: `${call('Write', { file_path: '/workspace/a.txt', content: 'one\ntwo\nthree\n' })} ${call('Edit', { file_path: '/workspace/a.txt', old_string: 'two', new_string: 'TWO' })} [[text Edited.]]`,
        ends: { status: 'completed', text: 'Edited.' },
        shows: async (seen) => {
          expect(seen.tools[1]?.payload?.['patch']).toMatchObject({
            filePath: '/workspace/a.txt',
            hunks: [{ lines: [' one', '-two', '+TWO', ' three'] }],
          });
          expect(await seen.file('a.txt')).toBe('one\nTWO\nthree\n');
        },
      },
    ],
  },
  {
    name: 'an Edit that does not fit is refused by the program, and the model learns that',
    proves: 'D1',
    turns: [
      {
        says: `${call('Write', { file_path: '/workspace/b.txt', content: 'one\n' })} ${call('Edit', { file_path: '/workspace/b.txt', old_string: 'three', new_string: 'two' })} [[text Not edited.]]`,
        ends: { status: 'completed', text: 'Not edited.' },
        shows: async (seen) => {
          expect(seen.tools[1]).toMatchObject({ name: 'Edit', isError: true });
          expect(await seen.file('b.txt')).toBe('one\n');
        },
      },
    ],
  },
  {
    name: 'Bash runs, and a command that fails says how',
    proves: 'D1 P1',
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `${call('Bash', { command: 'echo out; echo err >&2' })} ${call('Bash', { command: 'echo gone; exit 3' })} [[text Ran both.]]`,
        ends: { status: 'completed', text: 'Ran both.' },
        shows: (seen) => {
          expect(seen.tools).toMatchObject([
            { name: 'Bash', mutating: true, isError: false },
            { name: 'Bash', isError: true },
          ]);
          expect(String(seen.tools[0]?.content)).toContain('out');
          expect(String(seen.tools[1]?.content)).toMatch(/Exit code 3[\s\S]*gone/);
        },
      },
    ],
  },
  {
    name: 'Glob and Grep find',
    proves: 'D1',
    turns: [
      {
        says: `${call('Write', { file_path: '/workspace/src/needle.ts', content: 'const needle = 1;\n' })} ${call('Glob', { pattern: '**/*.ts' })} ${call('Grep', { pattern: 'needle', output_mode: 'content' })} [[text Found.]]`,
        ends: { status: 'completed', text: 'Found.' },
        shows: (seen) => {
          expect(seen.tools.slice(1)).toMatchObject([
            { name: 'Glob', mutating: false, isError: false },
            { name: 'Grep', mutating: false, isError: false },
          ]);
          expect(JSON.stringify(seen.tools[1]?.content)).toContain('needle.ts');
          expect(JSON.stringify(seen.tools[2]?.content)).toContain('const needle = 1;');
        },
      },
    ],
  },
  {
    name: 'NotebookEdit changes a cell',
    proves: 'D1',
    turns: [
      {
        says: `${call('Write', { file_path: '/workspace/n.ipynb', content: NOTEBOOK })} ${call('Read', { file_path: '/workspace/n.ipynb' })} ${call('NotebookEdit', { notebook_path: '/workspace/n.ipynb', cell_id: 'c1', new_source: '2 + 2' })} [[text Changed.]]`,
        ends: { status: 'completed', text: 'Changed.' },
        shows: async (seen) => {
          expect(seen.tools.at(-1)).toMatchObject({ name: 'NotebookEdit', mutating: true, isError: false });
          expect(await seen.file('n.ipynb')).toContain('2 + 2');
        },
      },
    ],
  },
  {
    name: 'a picture that is read comes with its result',
    proves: 'D1',
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `${call('Bash', { command: `echo ${PIXEL} | base64 -d > red.png` })} ${call('Read', { file_path: '/workspace/red.png' })} [[text A red one.]]`,
        ends: { status: 'completed', text: 'A red one.' },
        shows: (seen) => {
          expect(seen.tools[1]).toMatchObject({ name: 'Read', isError: false });
          expect(seen.tools[1]?.content).toMatchObject([
            { type: 'image', source: { type: 'base64', media_type: 'image/png' } },
          ]);
          expect(seen.lastAsked).toContain('"type":"image"');
        },
      },
    ],
  },
  {
    name: 'tools called at once each have their own result',
    proves: 'D1',
    turns: [
      {
        says: `${calls(['a', 'b', 'c'].map((name) => ['Write', { file_path: `/workspace/${name}.txt`, content: name }]))} ${calls(['c', 'a', 'b'].map((name) => ['Read', { file_path: `/workspace/${name}.txt` }]))} [[text All six.]]`,
        ends: { status: 'completed', text: 'All six.' },
        shows: (seen) => {
          expect(seen.tools).toHaveLength(6);
          for (const { input, content } of seen.tools.slice(3))
            expect(JSON.stringify(content)).toContain(
              String(input['file_path']).slice('/workspace/'.length, -'.txt'.length),
            );
        },
      },
    ],
  },
  {
    name: 'a tool that does not exist is the model’s mistake, not the turn’s',
    proves: 'H3',
    turns: [
      {
        says: `${call('TeleportTool', { to: 'mars' })} [[text There is no such thing.]]`,
        ends: { status: 'completed', text: 'There is no such thing.' },
        shows: (seen) =>
          expect(seen.tools).toMatchObject([{ name: 'TeleportTool', isError: true, input: { to: 'mars' } }]),
      },
    ],
  },
  {
    name: 'an input that a tool does not take is the model’s mistake, too',
    proves: 'H3',
    turns: [
      {
        says: `${call('Read', { path: 'wrong name', '\u0000': '\ud83d\ude42' })} [[text Wrong input.]]`,
        ends: { status: 'completed', text: 'Wrong input.' },
        shows: (seen) => expect(seen.tools).toMatchObject([{ name: 'Read', isError: true }]),
      },
    ],
  },
  {
    name: 'a tool’s ten megabytes of output are cut by the program and do no harm',
    proves: 'H3',
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `${call('Bash', { command: 'head -c 10000000 /dev/zero | tr "\\0" x' })} [[text Much.]]`,
        ends: { status: 'completed', text: 'Much.' },
        shows: (seen) => {
          expect(seen.tools).toMatchObject([{ isError: false }]);
          expect(String(seen.tools[0]?.content)).toContain('xxxx');
          expect(JSON.stringify(seen.watched.of(seen.turn)).length).toBeLessThan(1_000_000);
        },
      },
    ],
  },
  {
    name: 'a line of megabytes is read: an edit of a large file carries the whole of it',
    proves: 'H3',
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `${call('Bash', { command: 'seq 1 400000 > big.txt; wc -c < big.txt' })} ${call('Read', { file_path: '/workspace/big.txt', limit: 3 })} ${call('Edit', { file_path: '/workspace/big.txt', old_string: '399999\n', new_string: 'almost\n' })} [[text Edited.]]`,
        ends: { status: 'completed', text: 'Edited.' },
        shows: (seen) => {
          expect(seen.tools.at(-1)).toMatchObject({ name: 'Edit', isError: false });
          expect(seen.tools.at(-1)?.payload?.['patch']).toMatchObject({
            hunks: [{ lines: expect.arrayContaining(['-399999', '+almost']) as unknown }],
          });
          expect(JSON.stringify(seen.tools.at(-1)?.payload).length).toBeLessThan(100_000);
        },
      },
    ],
  },
  {
    name: 'output that is no text does no harm',
    proves: 'H3',
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `${call('Bash', { command: 'head -c 300 /bin/bash; printf "\\0\\377\\376end"' })} [[text Bytes.]]`,
        ends: { status: 'completed', text: 'Bytes.' },
        shows: (seen) => expect(String(seen.tools[0]?.content)).toContain('end'),
      },
    ],
  },
  {
    name: 'a sub-agent’s tools are shown under it, and its answer is its result',
    proves: 'E2',
    turns: [
      {
        says: `${subAgent(`${call('Write', { file_path: '/workspace/by-agent.txt', content: 'x' })} [[text The sub-agent’s report.]]`)} [[text The main answer.]]`,
        ends: { status: 'completed', text: 'The main answer.' },
        shows: async (seen) => {
          const [task, write] = seen.tools;
          expect(task).toMatchObject({ parent: null, isError: false });
          expect(['Task', 'Agent']).toContain(task?.name);
          expect(write).toMatchObject({ name: 'Write', parent: task?.id, isError: false });
          expect(JSON.stringify(task?.content)).toContain('The sub-agent’s report.');
          expect(await seen.file('by-agent.txt')).toBe('x');
          expect(seen.requests).toHaveLength(4);
        },
      },
    ],
  },
  {
    name: 'two sub-agents at once are kept apart, and what they used is counted',
    proves: 'E2 C2',
    turns: [
      {
        says: `${calls(['one', 'two'].map((name) => ['Task', { description: name, subagent_type: 'general-purpose', prompt: `${call('Write', { file_path: `/workspace/${name}.txt`, content: name })} [[usage input=1000 output=100]]&[[text Report ${name}.]]` }]))} [[text Both reported.]]`,
        ends: { status: 'completed', text: 'Both reported.' },
        shows: (seen) => {
          const agents = seen.tools.filter(({ parent }) => parent === null);
          expect(agents).toHaveLength(2);
          for (const agent of agents)
            expect(seen.tools.filter(({ parent }) => parent === agent.id)).toMatchObject([
              { name: 'Write', isError: false },
            ]);
          expect(seen.turn.usage.inputTokens).toBeGreaterThanOrEqual(2_000);
        },
      },
    ],
  },
  {
    name: 'a list of things to do is kept and shown',
    proves: 'E2 D1',
    turns: [
      {
        says: `${calls([
          ['TaskCreate', { subject: 'First', description: 'Do the first', activeForm: 'Doing the first' }],
          ['TaskCreate', { subject: 'Second', description: 'Do the second', activeForm: 'Doing the second' }],
        ])} ${call('TaskUpdate', { taskId: '1', status: 'in_progress' })} ${call('TaskUpdate', { taskId: '1', status: 'completed' })} [[text One is done.]]`,
        ends: { status: 'completed', text: 'One is done.' },
        shows: (seen) =>
          expect(seen.of('todo:update').at(-1)?.['items']).toMatchObject([
            { text: 'First', status: 'completed' },
            { text: 'Second', status: 'pending' },
          ]),
      },
    ],
  },
  {
    name: 'the list of earlier versions of the program is refused and changes nothing',
    proves: 'E2',
    turns: [
      {
        says: `${call('TodoWrite', { todos: [{ content: 'a', status: 'pending', activeForm: 'a' }] })} [[text No list.]]`,
        ends: { status: 'completed', text: 'No list.' },
        shows: (seen) => {
          expect(seen.tools).toMatchObject([{ name: 'TodoWrite', isError: true }]);
          expect(seen.of('todo:update')).toEqual([]);
        },
      },
    ],
  },
  {
    name: 'a command that runs for seconds says that it still runs',
    proves: 'E2',
    patient: true,
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `${call('Bash', { command: 'sleep 4.5; echo late' })} [[text It ended.]]`,
        ends: { status: 'completed', text: 'It ended.' },
        inOrder: ['tool:start', 'tool:progress', 'tool:result'],
        shows: (seen) => expect(Number(seen.tools[0]?.payload?.['durationMs'])).toBeGreaterThan(4_000),
      },
    ],
  },
  {
    name: 'a secret that a tool prints is masked wherever it is shown',
    proves: 'E6',
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `${call('Bash', { command: 'echo Z2hwXzAxMjM0NTY3ODlhYmNkZWZnaGlqQUJDREVGR0hJSjAxMjM0NQ== | base64 -d' })} [[text Seen.]]`,
        ends: { status: 'completed', text: 'Seen.' },
        shows: (seen) => {
          expect(String(seen.tools[0]?.content)).toContain('«redacted:');
          expect(JSON.stringify(seen.watched.live)).not.toContain('0123456789abcdefghij');
        },
      },
    ],
  },
];
