import type { Scenario } from './scenario';
import { assistant, ev, init, messageStart, messageStop, system, tool, toolStart, inputDelta, tres } from './records';

/** Tool calls from their first piece to their result. */
export const TOOLS: Scenario[] = [
  {
    name: 'by whose word a tool ran',
    records: [
      init(),
      tool('m1', 't1', 'Bash'),
      {
        ...tres('t1', 'ok'),
        tool_result_meta: [{ id: 't1', permission_decision: { decision: 'accept', source: 'hook' } }],
      },
    ],
    others: [
      { type: 'tool-started', toolUseId: 't1', name: 'Bash', mutating: true },
      { type: 'tool-ended', toolUseId: 't1', ms: 0 },
      { type: 'tool-ruling', toolUseId: 't1', name: 'Bash', ruling: 'accepted' },
    ],
  },
  {
    name: 'a tool starts once and ends once',
    stepMs: 40,
    records: [
      init(),
      tool('m1', 't1', 'Bash', { command: 'ls' }),
      tool('m1', 't1', 'Bash', { command: 'ls' }),
      tres('t1', 'out'),
      tres('t1', 'again'),
    ],
    events: [
      { kind: 'tool:start', toolUseId: 't1', name: 'Bash', input: { command: 'ls' }, mutating: true },
      { kind: 'tool:result', toolUseId: 't1', content: 'out', isError: false, durationMs: 80 },
    ],
    others: [
      { type: 'tool-started', toolUseId: 't1', name: 'Bash', mutating: true },
      { type: 'ignored', what: 'content:repeated tool_use' },
      { type: 'tool-ended', toolUseId: 't1', ms: 80 },
      { type: 'tool-ruling', toolUseId: 't1', name: 'Bash', ruling: 'unsaid' },
      { type: 'ignored', what: 'tool_result:repeated' },
      { type: 'tool-ruling', toolUseId: 't1', name: 'Bash', ruling: 'unsaid' },
    ],
    outcome: { mutatingToolStarted: true, openTools: [] },
  },
  {
    name: 'reading changes nothing',
    records: [init(), tool('m1', 't1', 'Read'), tool('m1', 't2', 'Grep')],
    outcome: { mutatingToolStarted: false },
  },
  {
    name: 'a result of an unknown call',
    records: [init(), tres('t9', 'out', { isError: true })],
    events: [{ kind: 'tool:result', toolUseId: 't9', content: 'out', isError: true, durationMs: 0 }],
  },
  {
    name: 'a nested result of an unknown call',
    records: [init(), tres('t9', 'out', { parent_tool_use_id: 't0' })],
    events: [
      { kind: 'tool:result', toolUseId: 't9', content: 'out', isError: false, durationMs: 0, parentToolUseId: 't0' },
    ],
  },
  {
    name: 'calls and results without ids are ignored',
    records: [
      init(),
      assistant('m1', [
        { type: 'tool_use', name: 'Bash' },
        { type: 'tool_use', id: 't1' },
      ]),
      { type: 'user', message: { content: [{ type: 'tool_result', content: 'x' }] } },
    ],
    events: [],
    others: [
      { type: 'ignored', what: 'content:tool_use without id or name' },
      { type: 'ignored', what: 'content:tool_use without id or name' },
      { type: 'ignored', what: 'tool_result:without id' },
    ],
  },
  {
    name: 'a result may have no content',
    records: [init(), { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1' }] } }],
    events: [{ kind: 'tool:result', toolUseId: 't1', content: '', isError: false, durationMs: 0 }],
  },
  {
    name: 'an edit says its lines, never the whole file',
    records: [
      init(),
      tool('m1', 't1', 'Edit'),
      tres('t1', 'ok', {
        tool_use_result: {
          filePath: '/a',
          originalFile: 'secret',
          structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 3, lines: ['-a', '+b'] }, 'odd'],
        },
      }),
    ],
    events: [
      { kind: 'tool:start', toolUseId: 't1', name: 'Edit', input: {}, mutating: true },
      {
        kind: 'tool:result',
        toolUseId: 't1',
        content: 'ok',
        isError: false,
        durationMs: 0,
        patch: { filePath: '/a', hunks: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 3, lines: ['-a', '+b'] }] },
      },
    ],
  },
  {
    name: 'a huge patch is cut between hunks',
    records: [
      init(),
      tres('t1', 'ok', {
        tool_use_result: {
          structuredPatch: [
            { oldStart: 1, lines: ['+a'] },
            { oldStart: 9, lines: ['+'.padEnd(60_000, 'x')] },
          ],
        },
      }),
    ],
    events: [
      {
        kind: 'tool:result',
        toolUseId: 't1',
        content: 'ok',
        isError: false,
        durationMs: 0,
        patch: {
          filePath: null,
          hunks: [{ oldStart: 1, oldLines: 0, newStart: 0, newLines: 0, lines: ['+a'] }],
          cut: true,
        },
      },
    ],
  },
  {
    name: 'a failed edit changed nothing',
    records: [init(), tres('t1', 'no', { isError: true, tool_use_result: { structuredPatch: [{ lines: ['+a'] }] } })],
    events: [{ kind: 'tool:result', toolUseId: 't1', content: 'no', isError: true, durationMs: 0 }],
  },
  {
    name: 'details belong to a single result only',
    records: [
      init(),
      {
        type: 'user',
        tool_use_result: { structuredPatch: [{ lines: ['+a'] }] },
        message: {
          content: [
            'odd',
            { type: 'text' },
            { type: 'tool_result', tool_use_id: 't1', content: 'a' },
            { type: 'tool_result', tool_use_id: 't2', content: 'b' },
          ],
        },
      },
    ],
    events: [
      { kind: 'tool:result', toolUseId: 't1', content: 'a', isError: false, durationMs: 0 },
      { kind: 'tool:result', toolUseId: 't2', content: 'b', isError: false, durationMs: 0 },
    ],
  },
  {
    name: 'work under way is reported, and no more once it is over',
    stepMs: 1_000,
    records: [
      init(),
      tool('m1', 't1', 'Bash', {}),
      system('task_started', { tool_use_id: 't1', description: 'slow' }),
      system('task_progress', { tool_use_id: 't1', description: 'still slow', usage: { duration_ms: 5_000 } }),
      { type: 'tool_progress', tool_use_id: 't1', elapsed_time_seconds: 6.5 },
      { type: 'tool_progress', tool_use_id: 't1' },
      { type: 'tool_progress', elapsed_time_seconds: 1 },
      system('task_notification', { tool_use_id: 't1', status: 'completed', summary: 'was slow' }),
      system('task_notification', { tool_use_id: 't0' }),
      system('task_started', { tool_use_id: 't0' }),
      system('task_started', {}),
      system('task_progress', {}),
      system('task_notification', {}),
      tres('t1', 'ok'),
      system('task_notification', { tool_use_id: 't1', status: 'completed', summary: 'late' }),
    ],
    events: [
      { kind: 'tool:start', toolUseId: 't1', name: 'Bash', input: {}, mutating: true },
      { kind: 'tool:progress', toolUseId: 't1', elapsedMs: 1_000, text: 'slow' },
      { kind: 'tool:progress', toolUseId: 't1', elapsedMs: 5_000, text: 'still slow' },
      { kind: 'tool:progress', toolUseId: 't1', elapsedMs: 6_500 },
      { kind: 'tool:progress', toolUseId: 't1', text: 'completed: was slow' },
      { kind: 'tool:progress', toolUseId: 't0', text: 'ended: ' },
      { kind: 'tool:progress', toolUseId: 't0', text: '' },
      { kind: 'tool:result', toolUseId: 't1', content: 'ok', isError: false, durationMs: 12_000 },
    ],
  },
  {
    name: 'a preview of an input is bounded',
    stepMs: 300,
    records: [
      init(),
      messageStart('m1'),
      toolStart('m1', 't1', 'Write'),
      inputDelta('m1', '{"a":"'.padEnd(3_000, 'x')),
      inputDelta('m1', 'y'.repeat(3_000)),
      inputDelta('m1', 'z'),
      inputDelta('m1', ''),
      inputDelta('m1', 'nowhere', 7),
    ],
    events: [
      { kind: 'tool:progress', toolUseId: 't1', name: 'Write', partialInput: '{"a":"'.padEnd(3_000, 'x') },
      {
        kind: 'tool:progress',
        toolUseId: 't1',
        name: 'Write',
        partialInput: '{"a":"'.padEnd(3_000, 'x') + 'y'.repeat(1_000),
      },
    ],
  },
  {
    name: 'an input that starts over is shown again',
    stepMs: 300,
    records: [
      init(),
      messageStart('m1'),
      toolStart('m1', 't1', 'Write'),
      inputDelta('m1', '{"a":1234'),
      toolStart('m1', 't1', 'Read'),
      inputDelta('m1', '{"b":5678'),
      inputDelta('m1', '9'),
    ],
    events: [
      ['Write', '{"a":1234'],
      ['Read', '{"b":5678'],
      ['Read', '{"b":56789'],
    ].map(([name, partialInput]) => ({ kind: 'tool:progress', toolUseId: 't1', name, partialInput })),
  },
  {
    name: 'an input that starts over is the new one',
    records: [
      init(),
      messageStart('m1'),
      toolStart('m1', 't1', 'Write'),
      inputDelta('m1', '{"a":'),
      toolStart('m1', 't1', 'Read'),
      inputDelta('m1', '{"b":1}'),
      messageStop('m1'),
    ],
    events: [{ kind: 'tool:start', toolUseId: 't1', name: 'Read', input: { b: 1 }, mutating: false }],
  },
  {
    name: 'what is incomplete is reported once',
    records: [
      init(),
      messageStart('m1'),
      toolStart('m1', 't1', 'Read'),
      inputDelta('m1', '{'),
      messageStop('m1'),
      tres('t1', 'odd'),
    ],
    events: [
      { kind: 'tool:progress', toolUseId: 't1', name: 'Read', partialInput: '{', incomplete: true },
      { kind: 'tool:result', toolUseId: 't1', content: 'odd', isError: false, durationMs: 0 },
    ],
  },
  {
    name: 'input that is no object is none',
    records: [init(), messageStart('m1'), toolStart('m1', 't1', 'Read'), inputDelta('m1', '[1]'), messageStop('m1')],
    events: [{ kind: 'tool:progress', toolUseId: 't1', name: 'Read', partialInput: '[1]', incomplete: true }],
  },
  {
    name: 'a call without a name never starts',
    records: [
      init(),
      messageStart('m1'),
      ev(
        { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't1' } },
        { api_message_id: 'm1' },
      ),
      ev({ type: 'content_block_start', index: 1, content_block: { type: 'tool_use' } }, { api_message_id: 'm1' }),
      ev({ type: 'content_block_start', index: 2 }, { api_message_id: 'm1' }),
      messageStop('m1'),
    ],
    events: [],
  },
  {
    name: 'a nested call keeps its parent when it is only streamed',
    records: [
      init(),
      ev({ type: 'message_start', message: { id: 's1' } }, { parent_tool_use_id: 't0' }),
      ev(
        { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't1', name: 'Read' } },
        { parent_tool_use_id: 't0' },
      ),
      ev({ type: 'message_stop' }, { parent_tool_use_id: 't0' }),
      system('task_progress', { tool_use_id: 't1' }),
    ],
    events: [
      { kind: 'tool:start', toolUseId: 't1', name: 'Read', input: {}, mutating: false, parentToolUseId: 't0' },
      { kind: 'tool:progress', toolUseId: 't1', elapsedMs: 0, text: '', parentToolUseId: 't0' },
    ],
  },
];
