import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { EventModule } from '../event/event.module';
import { FileModule } from '../file/file.module';
import { InstanceModule } from '../instance/instance.module';
import { PermissionModule } from '../permission/permission.module';
import { ProjectModule } from '../project/project.module';
import { ReferenceModule } from '../reference/reference.module';
import { SessionModule } from '../session/session.module';
import { TurnModule } from '../turn/turn.module';
import { WorkerModule } from '../worker/worker.module';
import { DiscoveryController } from './discovery.controller';
import { McpAnnouncer } from './mcp-announcer.service';
import { McpRequestsService } from './mcp-requests.service';
import { McpResourcesService } from './mcp-resources.service';
import { McpServices } from './mcp-services';
import { McpSessionsService } from './mcp-sessions.service';
import { McpStreamsService } from './mcp-streams.service';
import { McpTurnsService } from './mcp-turns.service';
import { McpController } from './mcp.controller';

@Module({
  imports: [
    AccessModule,
    AuditModule,
    EventModule,
    FileModule,
    InstanceModule,
    PermissionModule,
    ProjectModule,
    ReferenceModule,
    SessionModule,
    TurnModule,
    WorkerModule,
  ],
  controllers: [DiscoveryController, McpController],
  providers: [
    McpAnnouncer,
    McpRequestsService,
    McpResourcesService,
    McpServices,
    McpSessionsService,
    McpStreamsService,
    McpTurnsService,
  ],
})
export class McpModule {}
