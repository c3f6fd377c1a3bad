import type { Scenario } from './scenario';
import { complete, delta } from './events';
import {
  ev,
  init,
  messageDelta,
  messageStart,
  messageStop,
  res,
  textDelta,
  thinkingDelta,
  tool,
  toolStart,
  inputDelta,
  tres,
  txt,
} from './records';

/** Streams that end early, late, twice or not at all; places, sizes and depths. */
export const ABANDONED: Scenario[] = [
  {
    name: 'a call has a place among the blocks',
    records: [init(), tool('m1', 't1', 'Read'), txt('m1', 'ok')],
    events: [
      { kind: 'tool:start', toolUseId: 't1', name: 'Read', input: {}, mutating: false },
      complete('m1', 'ok', 1),
    ],
  },
  {
    name: 'thinking that was only streamed',
    records: [init(), messageStart('m1'), thinkingDelta('m1', 'Hm'), messageStop('m1'), res({ result: 'x' })],
    events: [
      { kind: 'thinking:delta', messageId: 'm1', block: 0, text: 'Hm' },
      { kind: 'thinking:complete', messageId: 'm1', block: 0, text: 'Hm' },
    ],
  },
  {
    name: 'a record that comes after the end of its stream says nothing new',
    records: [
      init(),
      messageStart('m1'),
      textDelta('m1', 'Hello'),
      messageStop('m1'),
      txt('m1', 'Hello'),
      res({ result: 'Hello' }),
    ],
    events: [delta('m1', 'Hello'), complete('m1', 'Hello')],
    outcome: { text: 'Hello' },
  },
  {
    name: 'or says the rest',
    records: [
      init(),
      messageStart('m1'),
      textDelta('m1', 'Hel'),
      messageStop('m1'),
      txt('m1', 'Hello'),
      res({ result: 'Hello' }),
    ],
    events: [delta('m1', 'Hel'), complete('m1', 'Hel'), complete('m1', 'Hello')],
    outcome: { text: 'Hello' },
  },
  {
    name: 'a finished stream without records is not taken back by the next',
    records: [
      init(),
      messageStart('m1'),
      textDelta('m1', 'One'),
      messageStop('m1'),
      messageStart('m2'),
      textDelta('m2', 'Two'),
      messageStop('m2'),
    ],
    events: [delta('m1', 'One'), complete('m1', 'One'), delta('m2', 'Two'), complete('m2', 'Two')],
  },
  {
    name: 'a piece after the end of its stream is late',
    records: [init(), messageStart('m1'), textDelta('m1', 'a'), messageStop('m1'), textDelta('m1', 'b')],
    events: [delta('m1', 'a'), complete('m1', 'a')],
    others: [{ type: 'ignored', what: 'delta:late' }],
  },
  {
    name: 'what came before the abandoned part stands',
    records: [init(), messageStart('m1'), textDelta('m1', 'kept'), textDelta('m1', 'lost', 1), messageStop('m1', 1)],
    events: [
      delta('m1', 'kept'),
      delta('m1', 'lost', 1),
      { kind: 'chat:withdrawn', messageId: 'm1', fromBlock: 1, reason: 'abandoned' },
      complete('m1', 'kept'),
    ],
  },
  {
    name: 'an abandoned part without a name is that of the message',
    records: [
      init(),
      messageStart('m1'),
      textDelta('m1', 'a'),
      ev({ type: 'message_stop' }, { api_message_id: 'm1', abandoned_blocks: { from_block_index: 0 } }),
    ],
    events: [delta('m1', 'a'), { kind: 'chat:withdrawn', messageId: 'm1', fromBlock: 0, reason: 'abandoned' }],
  },
  {
    name: 'an unknown abandoned message withdraws nothing',
    records: [
      init(),
      messageStart('m1'),
      textDelta('m1', 'a'),
      ev(
        { type: 'message_stop' },
        { api_message_id: 'm1', abandoned_blocks: { api_message_id: 'm0', from_block_index: 0 } },
      ),
    ],
    events: [delta('m1', 'a'), complete('m1', 'a')],
  },
  {
    name: 'a result of an abandoned call does not make it begin',
    records: [
      init(),
      messageStart('m1'),
      toolStart('m1', 't1', 'Bash'),
      inputDelta('m1', '{"a":1}'),
      messageStop('m1', 0),
      tres('t1', 'odd'),
    ],
    events: [
      { kind: 'chat:withdrawn', messageId: 'm1', fromBlock: 0, reason: 'abandoned' },
      { kind: 'tool:result', toolUseId: 't1', content: 'odd', isError: false, durationMs: 0 },
    ],
  },
  {
    name: 'a call that began is not forgotten with its message',
    records: [
      init(),
      messageStart('m1'),
      toolStart('m1', 't1', 'Bash'),
      tool('m1', 't1', 'Bash'),
      messageStop('m1', 0),
    ],
    events: [
      { kind: 'tool:start', toolUseId: 't1', name: 'Bash', input: {}, mutating: true },
      { kind: 'chat:withdrawn', messageId: 'm1', fromBlock: 0, reason: 'abandoned' },
    ],
    outcome: { mutatingToolStarted: true },
  },
  {
    name: 'one id in two conversations is two messages',
    records: [init(), txt('m1', 'outer'), txt('m1', 'a', 't1'), txt('m1', 'b', 't2'), res({ result: 'outer' })],
    events: [complete('m1', 'outer'), complete('m1', 'a', 0, 't1'), complete('m1', 'b', 0, 't2')],
    outcome: { text: 'outer' },
  },
  {
    name: 'pieces belong to the message that they name',
    records: [init(), messageStart('m1'), textDelta('m2', 'b'), textDelta('m1', 'a')],
    events: [delta('m2', 'b'), delta('m1', 'a')],
  },
  {
    name: 'the reason of a stop stays',
    records: [
      init(),
      messageStart('m1'),
      txt('m1', 'One, '),
      messageDelta('m1', 'max_tokens'),
      ev({ type: 'message_delta', delta: {} }, { api_message_id: 'm1' }),
      messageStop('m1'),
      txt('m2', 'two'),
      res({ result: 'two' }),
    ],
    outcome: { text: 'One, two' },
  },
  {
    name: 'the answer begins once, with the first piece',
    records: [
      init(),
      txt('s1', 'inner', 't1'),
      messageStart('m1'),
      textDelta('m1', 'a'),
      textDelta('m1', 'b'),
      txt('m1', 'ab'),
    ],
    answerBeginsAt: 3,
  },
  { name: 'or with the first whole block', records: [init(), txt('m1', 'a'), txt('m1', 'b')], answerBeginsAt: 1 },
  { name: 'or never', records: [init(), txt('s1', 'inner', 't1'), tool('m1', 't1', 'Task')], answerBeginsAt: null },
  {
    name: 'what was ignored is counted',
    records: [init(), { type: 'a' }, { type: 'b' }, { type: 'a' }],
    outcome: {
      ignored: [
        ['type:a', 2],
        ['type:b', 1],
      ],
    },
  },
  {
    name: 'in so many kinds at most',
    records: [init(), ...Array.from({ length: 250 }, (_, i) => ({ type: `k${i}` })), { type: 'k0' }],
    outcome: { ignored: Array.from({ length: 200 }, (_, i) => [`type:k${i}`, i === 0 ? 2 : 1]) },
  },
  {
    name: 'the size of a content is that of its texts',
    records: [init(), tres('t1', 'four'), tres('t2', [{ type: 'text', text: 'x' }]), tres('t3', [1, null, true])],
    sizes: [4, 2 + 1 + 2 + 4 + 4 + 4 + 1, 2 + 3 + 24],
  },
  {
    name: 'nesting is cut',
    records: [
      init(),
      tres('t1', nested(99, 'x')),
      tres('t2', nested(120, 'x')),
      tres('t3', [nested(120, 'x'), 'kept', null]),
    ],
    events: [
      ['t1', nested(99, 'x')],
      ['t2', nested(100, '«nested too deeply»')],
      ['t3', [nested(99, '«nested too deeply»'), 'kept', null]],
    ].map(([toolUseId, content]) => ({ kind: 'tool:result', toolUseId, content, isError: false, durationMs: 0 })),
  },
];

/** An innermost value in so many arrays and objects, by turns. */
function nested(levels: number, innermost: unknown): unknown {
  let value = innermost;
  for (let level = levels; level > 0; level -= 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
