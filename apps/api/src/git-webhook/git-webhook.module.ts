import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { ProjectModule } from '../project/project.module';
import { GitWebhookDeliveriesService } from './git-webhook-deliveries.service';
import { GitWebhooksController } from './git-webhooks.controller';
import { Nudges } from './nudges';
import { ProjectGitWebhookController } from './project-git-webhook.controller';
import { ProjectGitWebhookService } from './project-git-webhook.service';

@Module({
  imports: [AuditModule, ProjectModule],
  controllers: [GitWebhooksController, ProjectGitWebhookController],
  providers: [GitWebhookDeliveriesService, Nudges, ProjectGitWebhookService],
})
export class GitWebhookModule {}
