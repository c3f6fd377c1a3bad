import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { EventModule } from '../event/event.module';
import { ProjectModule } from '../project/project.module';
import { SessionModule } from '../session/session.module';
import { TurnModule } from '../turn/turn.module';
import { HarnessRoutesController } from './harness-routes.controller';
import { HarnessSessionsService } from './harness-sessions.service';
import { HarnessTurnsService } from './harness-turns.service';

@Module({
  imports: [AccessModule, EventModule, ProjectModule, SessionModule, TurnModule],
  controllers: [HarnessRoutesController],
  providers: [HarnessSessionsService, HarnessTurnsService],
})
export class HarnessRouteModule {}
