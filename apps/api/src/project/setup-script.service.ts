import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { SetupScript } from '@chirality/contracts';
import { SetupScriptRepository } from '@chirality/database';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { problems } from '../core/problem/problems';
import { projectPolicy } from '../access/project.policy';
import { ProjectsService } from './projects.service';

@Injectable()
export class SetupScriptService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly scripts: SetupScriptRepository,
    private readonly audit: AuditTrail,
  ) {}

  async get(who: Principal, projectId: string): Promise<SetupScript> {
    const project = await this.projects.find(who, projectId);
    if (!projectPolicy.contribute(who, project)) throw problems.forbidden('read the set-up script', project.teamId);
    return this.scripts.find(project.id);
  }

  async replace(who: Principal, projectId: string, body: SetupScript): Promise<SetupScript> {
    const project = await this.projects.find(who, projectId);
    if (!projectPolicy.manage(who, project)) throw problems.forbidden('change the set-up script', project.teamId);
    const script = body.script === null || body.script.trim() === '' ? null : body.script.replaceAll('\r\n', '\n');
    await this.scripts.replace(project.id, { script });
    const sha256 = script === null ? null : createHash('sha256').update(script).digest('hex');
    await this.audit.note(who, project.teamId, {
      action: 'project:setup-script',
      object: project.id,
      detail: { sha256 },
    });
    return { script };
  }
}
