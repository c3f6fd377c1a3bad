import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Project, RefreshFailure } from '@chirality/contracts';
import { ProjectRefreshRepository } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { problems } from '../core/problem/problems';
import { projectPolicy } from '../access/project.policy';
import { ProjectsService } from '../project/projects.service';
import { LiveWorkers } from '../worker/live-workers';

/** How long a new session waits for newer commits before it starts from the files that are here. */
const PATIENCE_MS = 4_000;
const LOOK_EVERY_MS = 100;
/** Files that were asked about this short a time ago are taken to be what the remote has. */
const FRESH_FOR_MS = 20_000;

/** Newer commits of a project's remote: asked for by a person, or by a session that is about to start. */
@Injectable()
export class ProjectRefreshService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly refreshes: ProjectRefreshRepository,
    private readonly workers: LiveWorkers,
    private readonly audit: AuditTrail,
  ) {}

  /** The project as it is now; one that is being refreshed already is not asked about twice. */
  async refresh(who: Principal, projectId: string): Promise<Project> {
    const project = await this.projects.find(who, projectId);
    if (!projectPolicy.contribute(who, project)) throw problems.forbidden('refresh this project', project.teamId);
    if (project.source.kind !== 'git')
      throw new ProblemError('CONFLICT', 'This project has no remote: there is nothing to refresh it from.');
    if (project.sourceState.status !== 'ready') throw problems.projectNotReady(project.sourceState.status);
    if (await this.refreshes.ask(project.id, who.user.id))
      await this.audit.note(who, project.teamId, { action: 'project:refresh', object: project.id });
    return this.projects.get(who, project.id);
  }

  /** Ends a refresh. Throws CONFLICT when none waits or runs. */
  async stop(who: Principal, projectId: string): Promise<Project> {
    const project = await this.projects.find(who, projectId);
    if (!projectPolicy.contribute(who, project)) throw problems.forbidden('stop this', project.teamId);
    if (!(await this.refreshes.stop(project.id, `${who.user.name} stopped the refresh.`)))
      throw new ProblemError('CONFLICT', 'There is nothing to stop: the project is not being refreshed.');
    await this.audit.note(who, project.teamId, { action: 'project:refresh-stop', object: project.id });
    return this.projects.get(who, project.id);
  }

  /**
   * Asks the remote of a project whose sessions start from what it has now, and waits for a moment. Null: the session
   * starts from that; else why it starts from what is here.
   */
  async beforeSession(
    who: Principal,
    project: Pick<Project, 'id' | 'source' | 'refresh' | 'refreshBeforeSession'>,
  ): Promise<RefreshFailure | null> {
    const { refresh } = project;
    if (!refresh || !project.refreshBeforeSession) return null;
    const ageMs = refresh.refreshedAt === null ? Infinity : Date.now() - Date.parse(refresh.refreshedAt);
    if (refresh.status === 'idle' && ageMs < FRESH_FOR_MS) return null;
    if ((await this.workers.forWorkspaceOf(null)) === null) return notInTime();
    await this.refreshes.ask(project.id, who.user.id);
    for (const startedAt = performance.now(); performance.now() - startedAt < PATIENCE_MS; await delay(LOOK_EVERY_MS)) {
      const now = await this.refreshes.find(project.id);
      if (now?.status === 'idle') return null;
      if (now?.status === 'failed') return now.error;
    }
    return notInTime();
  }
}

function notInTime(): RefreshFailure {
  return {
    code: 'GIT_HOST_UNREACHABLE',
    detail: `The refresh from the remote did not end within ${PATIENCE_MS / 1_000} seconds. Newer commits, if there are any, can be brought in once they are here.`,
  };
}
