import { Module } from '@nestjs/common';
import { QueueItemRepository } from '@chirality/database';
import { CONFIG, LOG, type Config, type Logger } from '@chirality/platform';
import { AccessModule } from '../access/access.module';
import { rareWarning } from '../core/rare-log';
import { EventModule } from '../event/event.module';
import { FeedRegistry } from '../event/feed-registry';
import { TurnModule } from '../turn/turn.module';
import { QueueClock } from './queue-clock';
import { QueueItemsController } from './queue-items.controller';
import { QueueItemsService } from './queue-items.service';
import { QueuePrincipals } from './queue-principal';
import { QueueRunner } from './queue-runner';

const LOOK_MS = 1_000;

@Module({
  imports: [AccessModule, EventModule, TurnModule],
  controllers: [QueueItemsController],
  providers: [
    QueuePrincipals,
    QueueRunner,
    QueueItemsService,
    {
      provide: QueueClock,
      inject: [QueueItemRepository, QueueRunner, FeedRegistry, CONFIG, LOG],
      useFactory: (items: QueueItemRepository, runner: QueueRunner, feeds: FeedRegistry, config: Config, log: Logger) =>
        new QueueClock({
          items,
          runner,
          feeds,
          lookMs: config.testLimits['queueLookMs'] ?? LOOK_MS,
          onError: rareWarning(log, 'queue.not_looked_at'),
        }),
    },
  ],
})
export class QueueItemModule {}
