import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application } from 'express';
import { AccessModule } from '../access/access.module';
import { peerOf } from '../core/address/peer-of';
import { EventModule } from '../event/event.module';
import { PermissionModule } from '../permission/permission.module';
import { SessionModule } from '../session/session.module';
import { LivePresence } from './live-presence';
import { LiveSessions } from './live-sessions';
import { LiveSockets } from './live-sockets';
import { LiveGateway } from './live.gateway';
import { MessageLimit } from './message-limit';
import { UnprovenConnections } from './socket-admission';

@Module({
  imports: [AccessModule, EventModule, PermissionModule, SessionModule],
  providers: [
    {
      provide: UnprovenConnections,
      inject: [HttpAdapterHost],
      useFactory: (http: HttpAdapterHost) =>
        new UnprovenConnections((request) => peerOf(http.httpAdapter.getInstance<Application>(), request)),
    },
    LiveGateway,
    LivePresence,
    LiveSessions,
    LiveSockets,
    MessageLimit,
  ],
  exports: [LivePresence, LiveSockets, MessageLimit, UnprovenConnections],
})
export class LiveModule {}
