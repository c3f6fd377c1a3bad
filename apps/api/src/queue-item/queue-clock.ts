import type { OnModuleDestroy } from '@nestjs/common';
import type { DueQueueItem, QueueItemRepository } from '@chirality/database';
import { every } from '@chirality/platform';
import type { FeedRegistry } from '../event/feed-registry';
import type { QueueRunner } from './queue-runner';

const AT_ONCE = 200;

type Parts = {
  items: Pick<QueueItemRepository, 'listDue'>;
  runner: Pick<QueueRunner, 'run'>;
  feeds: Pick<FeedRegistry, 'acquire' | 'release'>;
  lookMs: number;
  onError: (error: unknown) => void;
};

/**
 * Looks for messages whose session has no turn any longer. Every server does so: the rows say what waits, so what one
 * leaves undone another does. Between two looks the ends of the turns that are waited for are heard of by their events.
 */
export class QueueClock implements OnModuleDestroy {
  private readonly stop: () => void;
  private running: Promise<void> | null = null;
  private isAskedAgain = false;
  /** What ends the listening to a session in which messages wait for a turn. */
  private readonly listening = new Map<string, () => void>();
  private isStopped = false;

  constructor(private readonly parts: Parts) {
    this.stop = every(parts.lookMs, () => this.look(), { onError: parts.onError, background: true });
  }

  /** One look at a time; one that is asked for meanwhile follows. */
  look(): Promise<void> {
    if (this.running) {
      this.isAskedAgain = true;
      return this.running;
    }
    this.running = this.lookUntilQuiet().finally(() => (this.running = null));
    return this.running;
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    this.stop();
    await this.running?.catch(() => undefined);
    for (const stopListening of this.listening.values()) stopListening();
    this.listening.clear();
  }

  private async lookUntilQuiet(): Promise<void> {
    do {
      this.isAskedAgain = false;
      const due = await this.parts.items.listDue(AT_ONCE);
      this.listenTo(due);
      await Promise.all(due.map((next) => this.parts.runner.run(next).catch(this.parts.onError)));
    } while (this.isAskedAgain && !this.isStopped);
  }

  private listenTo(due: readonly DueQueueItem[]): void {
    const waiting = new Set(due.map(({ item }) => item.sessionId));
    for (const [sessionId, stopListening] of this.listening) {
      if (waiting.has(sessionId)) continue;
      stopListening();
      this.listening.delete(sessionId);
    }
    for (const sessionId of waiting) if (!this.listening.has(sessionId) && !this.isStopped) this.listen(sessionId);
  }

  private listen(sessionId: string): void {
    const { feeds, onError } = this.parts;
    let isOver = false;
    let stopListening = () => {
      isOver = true;
    };
    this.listening.set(sessionId, () => stopListening());
    feeds.acquire(sessionId).then(
      (feed) => {
        const unsubscribe = feed.subscribe((events) => {
          if (events.some(({ kind }) => kind === 'turn:end')) void this.look().catch(onError);
        });
        stopListening = () => {
          unsubscribe();
          feeds.release(sessionId);
        };
        if (isOver) stopListening();
        // The turn may have ended before this was heard of.
        else void this.look().catch(onError);
      },
      (error: unknown) => {
        this.listening.delete(sessionId);
        onError(error);
      },
    );
  }
}
