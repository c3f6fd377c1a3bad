import { Module } from '@nestjs/common';
import { EventLogWriter, EventRepository } from '@chirality/database';
import { EventBus } from '@chirality/messaging';
import { LOG, type Logger } from '@chirality/platform';
import { AccessModule } from '../access/access.module';
import { rareWarning } from '../core/rare-log';
import { CustomEventsService } from './custom-events.service';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';
import { FeedRegistry } from './feed-registry';
import { OpenStreams } from './open-streams';
import { SessionReaders } from './session-readers';
import { TranscriptService } from './transcript.service';

@Module({
  imports: [AccessModule],
  controllers: [EventsController],
  providers: [
    {
      provide: FeedRegistry,
      inject: [EventRepository, EventLogWriter, EventBus, LOG],
      useFactory: (events: EventRepository, eventLog: EventLogWriter, bus: EventBus, log: Logger) => {
        const onFailure = rareWarning(log, 'events.not_read');
        const feeds = new FeedRegistry(events, bus, onFailure);
        eventLog.listen((sessionId, envelopes) => feeds.offer(sessionId, envelopes));
        return feeds;
      },
    },
    CustomEventsService,
    EventsService,
    OpenStreams,
    SessionReaders,
    TranscriptService,
  ],
  exports: [CustomEventsService, EventsService, FeedRegistry, OpenStreams, SessionReaders, TranscriptService],
})
export class EventModule {}
