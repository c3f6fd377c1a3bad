import type { Provider } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application } from 'express';
import { IdentityService } from '../auth/identity.service';
import { peerOf } from '../server/peer-of';
import { rareWarning } from '../server/rare-log';
import type { Services } from '../server/services';
import { AccessChanges } from './access-changes';
import { AccessWatch } from './access-watch';
import { EventsService } from './events.service';
import { FeedRegistry } from './feed-registry';
import { LiveGateway } from './live.gateway';
import { LiveSessions } from './live-sessions';
import { LiveSockets } from './live-sockets';
import { OpenStreams } from './open-streams';
import { UnprovenConnections } from './socket-admission';
import { TranscriptService } from './transcript.service';

export function eventProviders({ feeds, messaging, log }: Services): Provider[] {
  return [
    { provide: FeedRegistry, useValue: feeds },
    {
      provide: UnprovenConnections,
      inject: [HttpAdapterHost],
      useFactory: (http: HttpAdapterHost) =>
        new UnprovenConnections((request) => peerOf(http.httpAdapter.getInstance<Application>(), request)),
    },
    {
      provide: AccessWatch,
      inject: [IdentityService],
      useFactory: (identity: IdentityService) => {
        const watch = new AccessWatch(
          (who) => identity.reload(who),
          () => messaging.access.isConnected,
          rareWarning(log, 'open connections could not be checked for what they may see'),
        );
        messaging.access.subscribe((change) => void watch.changed(change));
        return watch;
      },
    },
    AccessChanges,
    EventsService,
    LiveGateway,
    LiveSessions,
    LiveSockets,
    OpenStreams,
    TranscriptService,
  ];
}
