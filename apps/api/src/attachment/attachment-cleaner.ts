import type { OnModuleDestroy } from '@nestjs/common';
import type { AttachmentRepository } from '@chirality/database';
import { attachmentKey } from '@chirality/domain';
import { every, type BlobStore } from '@chirality/platform';

const HOUR_MS = 3_600_000;
const ROUND_MS = 10 * 60_000;
/** A draft is written again or given up by then. */
const UNSENT_MS = 7 * 24 * HOUR_MS;
/** Longer than any upload takes. */
const INCOMPLETE_MS = HOUR_MS;
const AT_ONCE = 200;

/**
 * Deletes files that were uploaded and never sent, and what is left of uploads and removals that broke off. Any number
 * of servers may do so at once.
 */
export class AttachmentCleaner implements OnModuleDestroy {
  private readonly stop: () => void;

  constructor(
    private readonly attachments: Pick<AttachmentRepository, 'takeObsolete' | 'completeRemoval'>,
    private readonly blobs: Pick<BlobStore, 'delete'>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.stop = every(ROUND_MS, () => this.clean(), { onError, background: true });
  }

  /**
   * How many are gone. The blob first: a row without one is found again. One that cannot be deleted is tried again in
   * the next round, and holds up no other.
   */
  async clean(): Promise<number> {
    const obsolete = await this.attachments.takeObsolete({
      unsentMs: UNSENT_MS,
      incompleteMs: INCOMPLETE_MS,
      limit: AT_ONCE,
    });
    let gone = 0;
    for (const { id, sessionId } of obsolete) {
      try {
        await this.blobs.delete(attachmentKey(sessionId, id));
        await this.attachments.completeRemoval(id);
        gone += 1;
      } catch (error) {
        this.onError(error);
      }
    }
    return gone;
  }

  onModuleDestroy(): void {
    this.stop();
  }
}
