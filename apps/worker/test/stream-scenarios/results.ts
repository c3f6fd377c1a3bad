import type { Scenario } from './scenario';
import { MAX_JSON_DEPTH, TOO_DEEP } from '../../src/harness/claude-code/records/bounded-json';
import { complete, delta } from './events';
import {
  failure,
  init,
  messageDelta,
  messageStart,
  messageStop,
  res,
  SESSION,
  textDelta,
  textStart,
  tool,
  txt,
} from './records';

/** The value, under so many objects. */
const nested = (levels: number, value: unknown): unknown => (levels === 0 ? value : { in: nested(levels - 1, value) });

/** What a turn amounts to, with a result and without. */
export const RESULTS: Scenario[] = [
  {
    name: 'is_error decides, not the subtype',
    records: [init(), txt('m1', 'x'), res({ is_error: true, subtype: 'success', result: 'no' })],
    outcome: { outcome: 'failed' },
  },
  {
    name: 'a subtype of failure is one without is_error',
    records: [
      init(),
      txt('m1', 'x'),
      res({ is_error: false, subtype: 'error_during_execution', result: 'no', errors: ['odd'] }),
    ],
    outcome: { outcome: 'failed', code: 'HARNESS_FAILURE', text: 'x', detail: 'Claude Code could not do this. odd' },
  },
  ...[
    ['max_turns', 'MAX_TURNS'],
    ['budget_exhausted', 'BUDGET_EXCEEDED'],
    ['aborted_tools', 'INTERRUPTED'],
    ['prompt_too_long', 'PROMPT_TOO_LONG'],
  ].map(([reason, code]): Scenario => ({
    name: `so is the reason ${reason}`,
    records: [init(), txt('m1', 'x'), res({ terminal_reason: reason })],
    outcome: { code },
  })),
  {
    name: 'an unknown reason is none',
    records: [init(), txt('m1', 'x'), res({ terminal_reason: 'novel', result: 'x' })],
    outcome: { outcome: 'completed', terminalReason: 'novel' },
  },
  {
    name: 'an earlier failure does not spoil a success',
    records: [init(), failure('rate_limit', 'x'), txt('m1', 'ok'), res({ result: 'ok' })],
    outcome: { outcome: 'completed', text: 'ok', error: null },
  },
  {
    name: 'a result that has the only text is the answer',
    records: [init(), res({ result: 'only here' })],
    outcome: { outcome: 'completed', text: 'only here', degraded: false },
  },
  {
    name: 'an answer by a schema is read beside its text',
    records: [init(), txt('m1', 'Here.'), res({ result: '{"a":1}', structured_output: { a: 1 } })],
    outcome: { outcome: 'completed', text: '{"a":1}', structured: { a: 1 } },
  },
  {
    name: 'an answer by a schema is cut where it is nested too deeply',
    records: [init(), txt('m1', 'x'), res({ result: 'x', structured_output: nested(MAX_JSON_DEPTH, { a: 1 }) })],
    outcome: { structured: nested(MAX_JSON_DEPTH, TOO_DEEP) },
  },
  {
    name: 'what is no object is no answer by a schema',
    records: [init(), txt('m1', 'ok'), res({ result: 'ok', structured_output: [1] })],
    outcome: { outcome: 'completed', structured: null },
  },
  {
    name: 'a command that the program answers itself may say nothing',
    records: [init(), res({ result: '', local_command: 'compact' })],
    outcome: { outcome: 'completed', text: '', degraded: false },
  },
  {
    name: 'a built-in command that it could not do is a failure, whatever it calls it',
    records: [
      init(),
      { ...txt('m1', 'Error: No messages to compact'), local_command_outcome: { kind: 'failed' } },
      res({ result: '', local_command: 'compact' }),
    ],
    events: [],
    outcome: {
      outcome: 'failed',
      text: '',
      code: 'HARNESS_FAILURE',
      detail: 'Claude Code could not do this. No messages to compact',
    },
  },
  {
    name: 'nor is its text degraded',
    records: [init(), txt('m1', 'No messages'), res({ result: '', local_command: 'compact' })],
    outcome: { text: 'No messages', degraded: false },
  },
  {
    name: 'structured output is the result',
    records: [init(), txt('m1', 'thinking aloud'), res({ result: '{"a":1}', structured_output: { a: 1 } })],
    outcome: { text: '{"a":1}' },
  },
  {
    name: 'structured output that is missing is not',
    records: [init(), txt('m1', 'aloud'), res({ result: '', structured_output: { a: 1 } })],
    outcome: { text: 'aloud', degraded: true },
  },
  {
    name: 'each result has its own messages',
    records: [
      init(),
      txt('m1', 'first'),
      txt('m2', 'second'),
      res({ result: 'first', begun_message_ids: ['m1'] }),
      res({ result: 'second', begun_message_ids: ['m2'], num_turns: 7 }),
    ],
    others: [
      { type: 'result', outcome: 'completed', text: 'first', index: 0, queued: 0 },
      { type: 'result', outcome: 'completed', text: 'second', index: 1, queued: 0 },
    ],
    outcome: { text: 'second', numTurns: 7 },
  },
  {
    name: 'a cut answer continues in the next message',
    records: [
      init(),
      messageStart('m0'),
      txt('m0', 'Before.'),
      messageDelta('m0', 'end_turn'),
      messageStop('m0'),
      messageStart('m1'),
      txt('m1', 'One, '),
      messageDelta('m1', 'max_tokens'),
      messageStop('m1'),
      messageStart('m2'),
      txt('m2', 'two, '),
      messageDelta('m2', 'max_tokens'),
      messageStop('m2'),
      txt('m3', 'three.'),
      res({ result: 'three.' }),
    ],
    outcome: { text: 'One, two, three.' },
  },
  {
    name: 'a message without text does not hide the one before',
    records: [init(), txt('m1', 'said'), tool('m2', 't1', 'Bash'), res({ result: 'x' })],
    outcome: { text: 'said', openTools: [{ toolUseId: 't1', name: 'Bash', mutating: true }] },
  },
  {
    name: 'blocks are joined by their index',
    records: [
      init(),
      messageStart('m1'),
      textDelta('m1', 'B', 1),
      textDelta('m1', 'A', 0),
      messageStop('m1'),
      res({ result: 'x' }),
    ],
    outcome: { text: 'AB' },
  },
  {
    name: 'startup problems are explained by stderr',
    records: [],
    exit: { code: 1, signal: null, stderr: 'error: unknown option\n' },
    outcome: {
      code: 'HARNESS_FAILURE',
      detail: 'Claude Code could not do this. error: unknown option',
      retryable: false,
      claudeSessionId: null,
    },
  },
  {
    name: 'a missing conversation may be said there only',
    records: [],
    exit: { code: 1, signal: null, stderr: 'No conversation found with session ID: x\n' },
    outcome: {
      code: 'RESUME_FAILED',
      degraded: true,
      detail: 'The conversation to continue no longer exists. No conversation found with session ID: x',
    },
  },
  {
    name: 'a process that died without a word crashed',
    records: [],
    exit: { code: 1, signal: null },
    outcome: {
      code: 'PROCESS_CRASHED',
      detail: 'Claude Code ended unexpectedly. The text so far is kept; send a message to continue.',
    },
  },
  {
    name: 'stderr of a run under way explains nothing',
    records: [init()],
    exit: { code: 1, signal: null, stderr: 'a warning' },
    outcome: { code: 'PROCESS_CRASHED' },
  },
  {
    name: 'a signal is a crash',
    records: [init()],
    exit: { code: null, signal: 'SIGKILL' },
    outcome: { code: 'PROCESS_CRASHED' },
  },
  {
    name: 'a process that lives on without a result has none',
    records: [init()],
    exit: { code: null, signal: null },
    outcome: { code: 'NO_RESULT' },
  },
  {
    name: 'advice about our own address is left out',
    records: [
      init(),
      res({
        is_error: true,
        result:
          'API Error: 500 Internal server error. Try again. If it persists, check your inference gateway (model.gateway).',
      }),
    ],
    outcome: { detail: 'Claude Code could not do this. API Error: 500 Internal server error. Try again.' },
  },
  {
    name: 'an unknown model is said to be one, without words for a terminal',
    records: [
      init(),
      failure('model_not_found', 'There is an issue with the model (x). Run --model to pick a different model.', {
        api_error_status: 404,
      }),
      res({
        is_error: true,
        api_error_status: 404,
        result: 'There is an issue with the model (x). Run --model to pick a different model.',
      }),
    ],
    outcome: {
      code: 'HARNESS_FAILURE',
      detail:
        'The model’s service does not know this model, or the key may not use it. Choose another model for the session. There is an issue with the model (x).',
    },
  },
  {
    name: 'a long explanation is cut',
    records: [init(), res({ is_error: true, result: 'x'.repeat(5_000) })],
    outcome: { detail: `Claude Code could not do this. ${'x'.repeat(600)}…` },
  },
  {
    name: 'a result without init names the session',
    records: [res({ result: 'x' })],
    outcome: { claudeSessionId: SESSION, model: null },
  },
  {
    name: 'a list of records is its members',
    records: [[init(), txt('m1', 'ok'), res({ result: 'ok' })]],
    outcome: { text: 'ok', hasResult: true },
  },
  {
    name: 'the queue is passed on, and results are counted',
    records: [
      init(),
      res({ result: 'x', queued_turn_count: 2 }),
      res({ result: 'x', result_index: 7 }),
      res({ result: 'x' }),
    ],
    others: [
      [0, 2],
      [7, 0],
      [2, 0],
    ].map(([index, queued]) => ({ type: 'result', outcome: 'completed', text: 'x', index, queued })),
  },
  {
    name: 'text that was only streamed is the answer of a success, too',
    records: [init(), messageStart('m1'), textStart('m1', 0, 'He'), textDelta('m1', 'llo'), res({ result: 'Hello' })],
    events: [delta('m1', 'He'), delta('m1', 'llo'), complete('m1', 'Hello')],
    outcome: { text: 'Hello' },
  },
];
