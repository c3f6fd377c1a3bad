import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { GitWebhook, NewGitWebhook, ProjectGitWebhook } from '@chirality/contracts';
import { GitWebhookRepository, type GitWebhookRecord } from '@chirality/database';
import { gitWebhookSealOf, newId } from '@chirality/domain';
import { CONFIG, ProblemError, SecretBox, type Config } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { projectPolicy } from '../access/project.policy';
import { AuditTrail } from '../audit/audit-trail';
import { problems } from '../core/problem/problems';
import { ProjectsService } from '../project/projects.service';

/** A project's webhook, for who manages the project. */
@Injectable()
export class ProjectGitWebhookService {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
    private readonly projects: ProjectsService,
    private readonly webhooks: GitWebhookRepository,
    private readonly secrets: SecretBox,
    private readonly audit: AuditTrail,
  ) {}

  async get(who: Principal, projectId: string): Promise<ProjectGitWebhook> {
    const project = await this.managed(who, projectId);
    const found = await this.webhooks.find(project.id);
    return { webhook: found && this.shown(found) };
  }

  /** Sets it up, or gives it another secret; the earlier one is worth nothing from then on. */
  async put(who: Principal, projectId: string): Promise<NewGitWebhook> {
    const project = await this.managed(who, projectId);
    if (project.source.kind !== 'git')
      throw new ProblemError('CONFLICT', 'This project’s files come from no git host that could report anything.');
    // Also a key of Standard Webhooks, which GitLab signs with.
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const { webhook, isNew } = await this.webhooks.put({
      id: newId('gitWebhook'),
      projectId: project.id,
      seal: (id) => this.secrets.seal(secret, gitWebhookSealOf(project.id, id)),
      by: { userId: who.user.id, name: who.user.name },
    });
    const detail = { rotated: !isNew };
    await this.audit.note(who, project.teamId, { action: 'project:git-webhook', object: project.id, detail });
    return { webhook: this.shown(webhook), secret };
  }

  async remove(who: Principal, projectId: string): Promise<void> {
    const project = await this.managed(who, projectId);
    if (!(await this.webhooks.remove(project.id))) throw problems.notFound('webhook');
    await this.audit.note(who, project.teamId, { action: 'project:git-webhook-remove', object: project.id });
  }

  private async managed(who: Principal, projectId: string) {
    const project = await this.projects.find(who, projectId);
    if (!projectPolicy.manage(who, project)) throw problems.forbidden('manage the project’s webhook', project.teamId);
    return project;
  }

  private shown(webhook: GitWebhookRecord): GitWebhook {
    return { ...webhook, url: `${this.config.publicUrl}/v1/git-webhooks/${webhook.id}` };
  }
}
