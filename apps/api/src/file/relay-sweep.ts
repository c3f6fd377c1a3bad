import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { BLOBS, every, LOG, RELAYS, type BlobStore, type Logger } from '@chirality/platform';

const SWEEP_EVERY_MS = 10 * 60_000;
/** Far longer than either side of a relay waits for the other, and than an upload may take. */
const IDLE_MS = 60 * 60_000;

/**
 * Deletes what downloads and uploads left in the store where both sides died over them, and blobs that were cut off.
 */
@Injectable()
export class RelaySweep implements OnModuleInit, OnModuleDestroy {
  private stop: () => void = () => undefined;

  constructor(
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onModuleInit(): void {
    const onError = (error: unknown) => this.log.warn({ err: error }, 'relay.not_swept');
    this.stop = every(SWEEP_EVERY_MS, () => this.sweep(), { background: true, onError });
  }

  async sweep(): Promise<void> {
    await this.blobs.sweep(RELAYS, IDLE_MS);
    await this.blobs.sweepIncoming(IDLE_MS);
  }

  onModuleDestroy(): void {
    this.stop();
  }
}
