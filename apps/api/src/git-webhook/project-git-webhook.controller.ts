import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import {
  newGitWebhookSchema,
  projectGitWebhookSchema,
  type NewGitWebhook,
  type ProjectGitWebhook,
} from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { ProjectGitWebhookService } from './project-git-webhook.service';

@Controller('v1/projects/:projectId/git-webhook')
export class ProjectGitWebhookController {
  constructor(private readonly webhooks: ProjectGitWebhookService) {}

  @Get()
  @Answers(200, projectGitWebhookSchema, 'Get the webhook by which the project’s git host reports changes', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN'],
  })
  get(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<ProjectGitWebhook> {
    return this.webhooks.get(who, projectId);
  }

  @Put()
  @Answers(200, newGitWebhookSchema, 'Set the project’s webhook up, or give it another secret, which is shown once', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  put(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<NewGitWebhook> {
    return this.webhooks.put(who, projectId);
  }

  @Delete()
  @Answers(204, null, 'Remove the project’s webhook', { problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN', 'NOT_FOUND'] })
  remove(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<void> {
    return this.webhooks.remove(who, projectId);
  }
}
