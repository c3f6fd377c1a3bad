import { fakeClaude, type FakeClaude } from '@chirality/testing';

/** A turn of the stand-in that streams so many deltas, this far apart, and ends well. */
export function talk(deltas: number, everyMs = 10, word = 'word '): FakeClaude {
  const one = fakeClaude().textDelta('m1', word);
  return fakeClaude()
    .init()
    .messageStart('m1')
    .streamEvent('m1', { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
    .step({ do: 'repeat', times: deltas, steps: (everyMs > 0 ? one.sleep(everyMs) : one).steps })
    .text('m1', word.repeat(deltas))
    .streamEvent('m1', { type: 'content_block_stop', index: 0 })
    .messageStop('m1')
    .result();
}

/** What the deltas of a message add up to. */
export function textOf(payloads: readonly Record<string, unknown>[]): string {
  return payloads.map(({ text }) => String(text)).join('');
}

/** A turn that streams one delta and then hangs, whatever requests and ignorable signals it receives. */
export function talkAndGoDeaf(): FakeClaude {
  return fakeClaude()
    .init()
    .messageStart('m1')
    .textDelta('m1', 'word ')
    .onInterrupt('ignore')
    .trap(['SIGINT', 'SIGTERM'])
    .hang();
}
