import { Module, type DynamicModule } from '@nestjs/common';
import { DatabaseModule } from '@chirality/database';
import { MessagingModule } from '@chirality/messaging';
import { PlatformModule } from '@chirality/platform';
import { AccessModule } from '../access/access.module';
import { AttachmentModule } from '../attachment/attachment.module';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { BudgetModule } from '../budget/budget.module';
import { CommandModule } from '../command/command.module';
import { CommentModule } from '../comment/comment.module';
import { DeletionModule } from '../deletion/deletion.module';
import { EventModule } from '../event/event.module';
import { ExportModule } from '../export/export.module';
import { FileModule } from '../file/file.module';
import { GitAccountModule } from '../git-account/git-account.module';
import { GitWebhookModule } from '../git-webhook/git-webhook.module';
import { HarnessRouteModule } from '../harness-route/harness-route.module';
import { HealthModule } from '../health/health.module';
import { InstanceModule } from '../instance/instance.module';
import { KeyModule } from '../key/key.module';
import { LiveModule } from '../live/live.module';
import { McpModule } from '../mcp/mcp.module';
import { MeModule } from '../me/me.module';
import { OptionsModule } from '../options/options.module';
import { PermissionModule } from '../permission/permission.module';
import { PersonaModule } from '../persona/persona.module';
import { ProjectModule } from '../project/project.module';
import { PromptModule } from '../prompt/prompt.module';
import { PullRequestModule } from '../pull-request/pull-request.module';
import { QueueItemModule } from '../queue-item/queue-item.module';
import { ReferenceModule } from '../reference/reference.module';
import { RemoteModule } from '../remote/remote.module';
import { ScheduleModule } from '../schedule/schedule.module';
import { SearchModule } from '../search/search.module';
import { ServiceAccountModule } from '../service-account/service-account.module';
import { SessionModule } from '../session/session.module';
import { SharedWorkspaceModule } from '../shared-workspace/shared-workspace.module';
import { SlashCommandModule } from '../slash-command/slash-command.module';
import { TeamModule } from '../team/team.module';
import { TokenModule } from '../token/token.module';
import { TurnModule } from '../turn/turn.module';
import { UnpushedModule } from '../unpushed/unpushed.module';
import { UsageModule } from '../usage/usage.module';
import { WebsocketModule } from '../websocket/websocket.module';
import { WorkerModule } from '../worker/worker.module';
import type { Services } from './services';

/** The features of the api. Each has its controllers and providers in its own module. */
@Module({
  imports: [
    AccessModule,
    AttachmentModule,
    AuditModule,
    AuthModule,
    BudgetModule,
    CommandModule,
    CommentModule,
    DeletionModule,
    EventModule,
    ExportModule,
    FileModule,
    GitAccountModule,
    GitWebhookModule,
    HarnessRouteModule,
    HealthModule,
    InstanceModule,
    KeyModule,
    LiveModule,
    McpModule,
    MeModule,
    OptionsModule,
    PermissionModule,
    PersonaModule,
    ProjectModule,
    PromptModule,
    PullRequestModule,
    QueueItemModule,
    ReferenceModule,
    RemoteModule,
    ScheduleModule,
    SearchModule,
    ServiceAccountModule,
    SessionModule,
    SharedWorkspaceModule,
    SlashCommandModule,
    TeamModule,
    TokenModule,
    TurnModule,
    UnpushedModule,
    UsageModule,
    WebsocketModule,
    WorkerModule,
  ],
})
export class AppModule {
  /** The features, on the services of this process. */
  static forRoot(services: Services): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(services),
        DatabaseModule.forRoot(services),
        MessagingModule.forRoot(services.messaging),
      ],
    };
  }
}
