import type { Scenario } from './scenario';
import { complete, delta } from './events';
import {
  assistant,
  blockStop,
  ev,
  init,
  messageStart,
  messageStop,
  res,
  textDelta,
  textStart,
  thinkingDelta,
  toolStart,
  txt,
} from './records';

/** Text and thinking, from stream events and records. */
export const BLOCKS: Scenario[] = [
  {
    name: 'thinking and text of one message keep their places',
    records: [
      init(),
      messageStart('m1'),
      ev(
        { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: 'H' } },
        { api_message_id: 'm1' },
      ),
      thinkingDelta('m1', 'm'),
      assistant('m1', [{ type: 'thinking', thinking: 'Hm' }]),
      textDelta('m1', 'ok', 1),
      txt('m1', 'ok'),
      blockStop('m1', 1),
      messageStop('m1'),
    ],
    events: [
      { kind: 'thinking:delta', messageId: 'm1', block: 0, text: 'H' },
      { kind: 'thinking:delta', messageId: 'm1', block: 0, text: 'm' },
      { kind: 'thinking:complete', messageId: 'm1', block: 0, text: 'Hm' },
      delta('m1', 'ok', 1),
      complete('m1', 'ok', 1),
    ],
  },
  {
    name: 'hidden thinking has a place, too',
    records: [init(), assistant('m1', [{ type: 'redacted_thinking', data: 'x' }]), txt('m1', 'ok')],
    events: [complete('m1', 'ok', 1)],
  },
  {
    name: 'several blocks in one record',
    records: [
      init(),
      assistant('m1', [{ type: 'text', text: 'a' }, { type: 'novel' }, 'odd', { type: 'text', text: 'b' }]),
    ],
    events: [complete('m1', 'a'), complete('m1', 'b', 1)],
    others: [
      { type: 'ignored', what: 'content:novel' },
      { type: 'ignored', what: 'content:' },
    ],
  },
  {
    name: 'content that is plain text',
    records: [init(), assistant('m1', 'plain')],
    events: [complete('m1', 'plain')],
  },
  { name: 'an empty block says nothing', records: [init(), txt('m1', '')], events: [] },
  {
    name: 'a late piece of a complete block is ignored',
    records: [init(), messageStart('m1'), textDelta('m1', 'a'), txt('m1', 'ab'), textDelta('m1', 'b')],
    events: [delta('m1', 'a'), complete('m1', 'ab')],
    others: [{ type: 'ignored', what: 'delta:late' }],
  },
  {
    name: 'text in a place of thinking is ignored',
    records: [init(), messageStart('m1'), thinkingDelta('m1', 'a'), textDelta('m1', 'b')],
    events: [{ kind: 'thinking:delta', messageId: 'm1', block: 0, text: 'a' }],
    others: [{ type: 'ignored', what: 'delta:late' }],
  },
  {
    name: 'stream events and deltas of unknown kinds',
    records: [
      init(),
      ev({ type: 'ping' }),
      ev({ type: 'novel' }),
      ev({}),
      { type: 'stream_event' },
      ev({ type: 'content_block_delta', index: 0, delta: { type: 'novel_delta' } }),
      ev({ type: 'content_block_delta', index: 0 }),
      ev({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'x' } }),
      ev({ type: 'content_block_delta', index: 0, delta: { type: 'citations_delta' } }),
    ],
    events: [],
    others: ['stream_event:novel', 'stream_event:', 'stream_event:', 'delta:novel_delta', 'delta:'].map((what) => ({
      type: 'ignored',
      what,
    })),
  },
  {
    name: 'messages without an id are kept apart',
    records: [
      init(),
      { type: 'assistant', message: { content: [{ type: 'text', text: 'a' }] } },
      { type: 'assistant', message: { content: [{ type: 'text', text: 'b' }] } },
    ],
    events: [complete('unnamed-1', 'a'), complete('unnamed-2', 'b')],
  },
  {
    name: 'a piece without an id belongs to the message under way',
    records: [
      init(),
      messageStart('m1'),
      ev({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } }),
    ],
    events: [delta('m1', 'a')],
  },
  {
    name: 'blocks cut off by an interrupt stay as far as they were complete',
    records: [
      init(),
      messageStart('m1'),
      textDelta('m1', 'word1 '),
      assistant('m1', [{ type: 'text', text: 'word1 ' }], { aborted: true }),
      blockStop('m1'),
      messageStop('m1', 1),
    ],
    events: [delta('m1', 'word1 '), complete('m1', 'word1 ')],
  },
  {
    name: 'a withdrawn preview is reported',
    records: [init(), messageStart('m1'), txt('m1', 'kept'), toolStart('m1', 't1', 'Write', 1), messageStop('m1', 1)],
    events: [complete('m1', 'kept'), { kind: 'chat:withdrawn', messageId: 'm1', fromBlock: 1, reason: 'abandoned' }],
  },
  {
    name: 'an abandoned message that was not shown is not reported',
    records: [init(), messageStart('m1'), textStart('m1'), messageStop('m1', 0)],
    events: [],
  },
  {
    name: 'blocks may be abandoned by the name of their message',
    records: [
      init(),
      messageStart('m1'),
      textDelta('m1', 'a'),
      ev(
        { type: 'message_stop' },
        { api_message_id: 'm2', abandoned_blocks: { api_message_id: 'm1', from_block_index: 0 } },
      ),
    ],
    events: [delta('m1', 'a'), { kind: 'chat:withdrawn', messageId: 'm1', fromBlock: 0, reason: 'abandoned' }],
  },
  {
    name: 'a refused answer is taken back',
    records: [
      init(),
      txt('m1', 'I started'),
      { type: 'user', isSynthetic: true, refusal_retry: true, refused_message_id: 'm1', message: { content: [] } },
      { type: 'user', refusal_retry: true, message: {} },
      txt('m2', 'ok'),
      res({ result: 'ok' }),
    ],
    events: [
      complete('m1', 'I started'),
      { kind: 'chat:withdrawn', messageId: 'm1', fromBlock: 0, reason: 'refused' },
      complete('m2', 'ok'),
    ],
    outcome: { text: 'ok' },
  },
];
