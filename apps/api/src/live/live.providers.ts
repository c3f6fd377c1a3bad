import type { Provider } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application } from 'express';
import { peerOf } from '../core/http/peer-of';
import { LiveSessions } from './live-sessions';
import { LiveSockets } from './live-sockets';
import { LiveGateway } from './live.gateway';
import { UnprovenConnections } from './socket-admission';

export const liveProviders: Provider[] = [
  {
    provide: UnprovenConnections,
    inject: [HttpAdapterHost],
    useFactory: (http: HttpAdapterHost) =>
      new UnprovenConnections((request) => peerOf(http.httpAdapter.getInstance<Application>(), request)),
  },
  LiveGateway,
  LiveSessions,
  LiveSockets,
];
