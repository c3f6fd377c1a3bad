import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { CommandModule } from '../command/command.module';
import { EventModule } from '../event/event.module';
import { LiveModule } from '../live/live.module';
import { ReferenceModule } from '../reference/reference.module';
import { SessionModule } from '../session/session.module';
import { FrameIntake } from './frame-intake';
import { WebsocketConnections } from './websocket-connections';
import { WebsocketController } from './websocket.controller';
import { WebsocketSessions } from './websocket-sessions';
import { WebsocketUpgrade } from './websocket-upgrade';

@Module({
  imports: [AccessModule, CommandModule, EventModule, LiveModule, ReferenceModule, SessionModule],
  controllers: [WebsocketController],
  providers: [FrameIntake, WebsocketConnections, WebsocketSessions, WebsocketUpgrade],
})
export class WebsocketModule {}
