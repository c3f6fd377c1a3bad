import { EMPTY_USAGE, type TokenUsage } from '@chirality/contracts';
import { addUsage } from '@chirality/domain';
import type { JsonObject } from '../records/json';
import { readUsage } from './reported-cost';

/**
 * Usage by message, for a run that never reports a result. Every record of a message repeats its usage, so the last one
 * said counts once; only the stream's closing delta has the final output count, and no later record may undo it.
 */
export class StreamedUsage {
  private readonly byMessage = new Map<string, { usage: TokenUsage; closed: boolean }>();

  note(messageId: string, usage: JsonObject, closing: boolean): void {
    const known = this.byMessage.get(messageId);
    if (known?.closed && !closing) return;
    this.byMessage.set(messageId, { usage: readUsage(usage), closed: closing });
  }

  get total(): TokenUsage {
    return [...this.byMessage.values()].map(({ usage }) => usage).reduce(addUsage, EMPTY_USAGE);
  }
}
