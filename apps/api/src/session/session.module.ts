import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { OptionsModule } from '../options/options.module';
import { ProjectModule } from '../project/project.module';
import { RemoteModule } from '../remote/remote.module';
import { SharedWorkspaceModule } from '../shared-workspace/shared-workspace.module';
import { TurnModule } from '../turn/turn.module';
import { WorkerModule } from '../worker/worker.module';
import { PrewarmRequests } from './prewarm-requests';
import { BootService } from './boot.service';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';

@Module({
  imports: [
    AccessModule,
    AuditModule,
    OptionsModule,
    ProjectModule,
    RemoteModule,
    SharedWorkspaceModule,
    TurnModule,
    WorkerModule,
  ],
  controllers: [SessionsController],
  providers: [PrewarmRequests, BootService, SessionsService],
  exports: [BootService, PrewarmRequests, SessionsService],
})
export class SessionModule {}
