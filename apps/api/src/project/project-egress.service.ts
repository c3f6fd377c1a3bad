import { Inject, Injectable } from '@nestjs/common';
import type { EgressLogEntry, Page, ProjectEgress, UpdateProjectEgress } from '@chirality/contracts';
import { EgressLogRepository, ProjectEgressRepository } from '@chirality/database';
import { CONFIG, type Config } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { problems } from '../core/problem/problems';
import { usableEgressHosts } from './egress-rules';
import { projectPolicy } from '../access/project.policy';
import { ProjectsService } from './projects.service';

const LOG_ROWS = 200;

@Injectable()
export class ProjectEgressService {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'privateHosts'>,
    private readonly projects: ProjectsService,
    private readonly egress: ProjectEgressRepository,
    private readonly entries: EgressLogRepository,
    private readonly audit: AuditTrail,
  ) {}

  async get(who: Principal, projectId: string): Promise<ProjectEgress> {
    const project = await this.projects.find(who, projectId);
    return (await this.egress.find(project.id)) ?? missing();
  }

  async replace(who: Principal, projectId: string, { hosts, webSearch }: UpdateProjectEgress): Promise<ProjectEgress> {
    const project = await this.projects.find(who, projectId);
    if (!projectPolicy.manage(who, project)) throw problems.forbidden('decide what sandboxes reach', project.teamId);
    const wanted: ProjectEgress = { hosts: usableEgressHosts(hosts, this.config.privateHosts), webSearch };
    const before = (await this.egress.replace(project.id, wanted)) ?? missing();
    const added = wanted.hosts.filter((host) => !before.hosts.includes(host));
    const removed = before.hosts.filter((host) => !wanted.hosts.includes(host));
    await this.audit.note(who, project.teamId, {
      action: 'project:egress',
      object: project.id,
      detail: { added, removed, webSearch },
    });
    return wanted;
  }

  async log(who: Principal, projectId: string): Promise<Page<EgressLogEntry>> {
    const project = await this.projects.find(who, projectId);
    if (!projectPolicy.contribute(who, project))
      throw problems.forbidden('read what sandboxes reached', project.teamId);
    return { data: await this.entries.list(project.id, LOG_ROWS), nextCursor: null };
  }
}

function missing(): never {
  throw problems.projectNotFound();
}
