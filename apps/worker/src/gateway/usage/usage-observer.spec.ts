import { event } from '../../../test/model-upstream';
import type { MessageUsage } from '../gateway.types';
import { UsageObserver } from './usage-observer';

const WORDS = 'The answer is made of words, and of «others» 🎉 too. ';
const usage = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 500 };
const delta = (index: number, part: object) => event('content_block_delta', { index, delta: part });

/** Every kind of delta that costs, as the service streams them. */
const PARTS = [
  event('message_start', { message: { id: 'msg_1', type: 'message', model: 'claude-sonnet-5-5', usage } }),
  event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '' } }),
  ...[1, 2, 3].map(() => delta(0, { type: 'thinking_delta', thinking: WORDS })),
  ...[1, 2, 3].map(() => delta(1, { type: 'text_delta', text: WORDS })),
  ...[1, 2, 3].map(() => delta(2, { type: 'input_json_delta', partial_json: '{"command":"echo ' })),
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4_000 } }),
  event('message_stop', {}),
];
const WHOLE = Buffer.from(PARTS.join(''));

function observe(bytes: Buffer, pieceBytes = bytes.length): { usage: MessageUsage; complete: boolean } | null {
  let seen: { usage: MessageUsage; complete: boolean } | null = null;
  const observer = new UsageObserver(
    { 'content-type': 'text/event-stream' },
    { started: () => undefined, ended: (used, complete) => (seen = { usage: used, complete }) },
  );
  for (let at = 0; at < bytes.length; at += pieceBytes) observer.push(bytes.subarray(at, at + pieceBytes));
  observer.end();
  return seen;
}

/**
 * At least this many tokens were streamed before the cut: no token of the words above is longer than eight characters.
 */
function streamedAtLeast(bytes: number): number {
  let [characters, end] = [0, 0];
  for (const part of PARTS) {
    end += Buffer.byteLength(part);
    if (end > bytes) break;
    const { delta: said } = JSON.parse(part.split('data: ')[1] ?? '{}') as {
      delta?: { thinking?: string; text?: string; partial_json?: string };
    };
    characters += (said?.thinking ?? said?.text ?? said?.partial_json ?? '').length;
  }
  return Math.floor(characters / 8);
}

describe('what a streamed message used', () => {
  it('is never less than what came of it, wherever the stream is cut, and what the service says once it says it', () => {
    const told = Buffer.byteLength(PARTS.slice(0, -1).join(''));
    let last = 0;
    for (let cut = 0; cut <= WHOLE.length; cut += 1) {
      const seen = observe(WHOLE.subarray(0, cut));
      if (seen === null) {
        expect(cut).toBeLessThan(Buffer.byteLength(PARTS[0] ?? ''));
        continue;
      }
      const { outputTokens, estimated = false, inputTokens, cacheReadTokens } = seen.usage;
      expect({ cut, inputTokens, cacheReadTokens, complete: seen.complete, estimated }).toEqual({
        cut,
        inputTokens: 10,
        cacheReadTokens: 500,
        complete: cut >= told,
        estimated: cut < told,
      });
      expect(outputTokens).toBeGreaterThanOrEqual(Math.max(last, streamedAtLeast(cut)));
      if (seen.complete) expect(outputTokens).toBe(4_000);
      last = outputTokens;
    }
    expect(last).toBe(4_000);
  });

  it('is the same however its bytes come', () => {
    const cut = WHOLE.subarray(0, WHOLE.length - 300);
    expect(observe(cut, 1)).toEqual(observe(cut));
  });

  it('counts what the service says of thinking that it does not show', () => {
    const hidden = [
      PARTS[0],
      delta(0, { type: 'thinking_delta', thinking: '', estimated_tokens: 50 }),
      delta(0, { type: 'thinking_delta', thinking: '', estimated_tokens: 900 }),
    ].join('');
    expect(observe(Buffer.from(hidden))?.usage).toMatchObject({ outputTokens: 900, estimated: true });
  });
});
