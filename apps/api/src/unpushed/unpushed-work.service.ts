import { Injectable } from '@nestjs/common';
import type { ProjectWork, UnpushedWork } from '@chirality/contracts';
import { UnpushedWorkRepository } from '@chirality/database';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { problems } from '../core/problem/problems';
import { ProjectsService } from '../project/projects.service';

/** Says what would be left behind, before a session or a project goes. */
@Injectable()
export class UnpushedWorkService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly projects: ProjectsService,
    private readonly work: UnpushedWorkRepository,
  ) {}

  async ofSession(who: Principal, sessionId: string): Promise<UnpushedWork> {
    const { id } = await this.sessions.forReading(who, sessionId);
    const work = await this.work.find(id);
    if (!work) throw problems.sessionNotFound();
    return work;
  }

  async ofProject(who: Principal, projectId: string): Promise<ProjectWork> {
    const { id } = await this.projects.find(who, projectId);
    return this.work.listInProject(id, who.user.id);
  }
}
