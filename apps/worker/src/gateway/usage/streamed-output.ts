import { tokensOfText } from '@chirality/domain';

/**
 * What a reply's deltas came to so far: the least that its message may cost when the service never says how much it
 * was.
 */
export class StreamedOutput {
  private estimated = 0;
  /** The service's own count of what it thought, where it sends one in place of the words. */
  private toldThinking = 0;

  /** A `content_block_delta`, or the beginning of a block. */
  note(event: Record<string, unknown>): void {
    const delta = objectOf(event['delta']) ?? objectOf(event['content_block']);
    if (!delta) return;
    for (const name of ['text', 'thinking', 'partial_json', 'data'] as const) {
      const piece = delta[name];
      if (typeof piece === 'string') this.estimated += tokensOfText(piece);
    }
    const told = delta['estimated_tokens'];
    if (typeof told === 'number' && Number.isSafeInteger(told) && told > this.toldThinking) this.toldThinking = told;
  }

  get tokens(): number {
    return Math.ceil(this.estimated) + this.toldThinking;
  }
}

function objectOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}
