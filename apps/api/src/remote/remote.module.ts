import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { ProjectModule } from '../project/project.module';
import { SharedWorkspaceModule } from '../shared-workspace/shared-workspace.module';
import { WorkerModule } from '../worker/worker.module';
import { ProjectRefreshController } from './project-refresh.controller';
import { ProjectRefreshService } from './project-refresh.service';
import { SessionBaseController } from './session-base.controller';
import { SessionBaseService } from './session-base.service';
import { SessionPushController } from './session-push.controller';
import { SessionPushService } from './session-push.service';

@Module({
  imports: [AccessModule, AuditModule, ProjectModule, SharedWorkspaceModule, WorkerModule],
  controllers: [ProjectRefreshController, SessionBaseController, SessionPushController],
  providers: [ProjectRefreshService, SessionBaseService, SessionPushService],
  exports: [ProjectRefreshService],
})
export class RemoteModule {}
