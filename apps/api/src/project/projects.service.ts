import { Inject, Injectable } from '@nestjs/common';
import type { CreateProject, GitBranches, Page, Project, ProjectSource } from '@chirality/contracts';
import { DeletionRepository, ProjectFetchRepository, ProjectRepository, type ProjectRecord } from '@chirality/database';
import { CONFIG, ProblemError, type Config } from '@chirality/platform';
import { chosenTeam } from '../access/chosen-team';
import { listWithin, roleIn, roleInProject, type Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';
import { AuditTrail } from '../audit/audit-trail';
import { knownId } from '../core/http/known-id';
import { cursorOf } from '../core/http/validate';
import { GitBranchesService } from '../git-account/git-branches.service';
import { problems } from '../core/problem/problems';
import { projectPolicy } from '../access/project.policy';
import { refuseUnusableSource } from './source-rules';

@Injectable()
export class ProjectsService {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'allowedRoots' | 'privateHosts'>,
    private readonly projects: ProjectRepository,
    private readonly fetches: ProjectFetchRepository,
    private readonly deletions: DeletionRepository,
    private readonly gitBranches: GitBranchesService,
    private readonly audit: AuditTrail,
  ) {}

  async list(
    who: Principal,
    query: { teamId?: string | undefined; archived: boolean; cursor?: string | undefined; limit: number },
  ): Promise<Page<Project>> {
    if (query.teamId !== undefined && roleIn(who, query.teamId) === null) throw problems.notFound('team');
    const within = listWithin(who);
    const teamId = query.teamId ?? within?.teamId;
    const page = await this.projects.listForUser(who.user.id, {
      ...(teamId ? { teamId } : {}),
      ids: within?.projects ?? (within?.sessions === undefined ? undefined : []),
      archived: query.archived,
      ...cursorOf(query),
      limit: query.limit,
    });
    return { ...page, data: page.data.map((project) => shownProject(who, project)) };
  }

  async create(who: Principal, { name, source, teamId, visibility = 'team' }: CreateProject): Promise<Project> {
    const team = chosenTeam(who, teamId);
    if (!teamPolicy.contribute(who, team)) throw problems.forbidden('make projects', team.id);
    const usable: ProjectSource = await refuseUnusableSource(source, this.config);
    const project = await this.projects.create({
      teamId: team.id,
      name,
      source: usable,
      visibility,
      createdById: who.user.id,
    });
    await this.audit.note(who, team.id, {
      action: 'project:create',
      object: project.id,
      detail: { name, source: usable.kind, visibility },
    });
    // The request's principal is older than the row that names its maker.
    const role = roleInProject(who, project) ?? 'manage';
    return { ...shownProject(who, project), role };
  }

  async get(who: Principal, projectId: string): Promise<Project> {
    return shownProject(who, await this.find(who, projectId));
  }

  /** For everyone who has it; throws PROJECT_NOT_FOUND for others. */
  async find(who: Principal, projectId: string): Promise<ProjectRecord> {
    const found = await this.projects.findForUser(knownId('project', projectId), who.user.id);
    if (!found || !projectPolicy.read(who, found)) throw problems.projectNotFound();
    return found;
  }

  /** As whom its files would be fetched now. Throws CONFLICT for a project that comes from no git address. */
  async branches(who: Principal, projectId: string): Promise<GitBranches> {
    const project = await this.find(who, projectId);
    if (!projectPolicy.contribute(who, project)) throw problems.forbidden('list its branches', project.teamId);
    if (project.source.kind !== 'git')
      throw new ProblemError(
        'CONFLICT',
        'This project does not come from a git address, so it has no branches elsewhere.',
      );
    return this.gitBranches.ofProject(who, project, project.source.url);
  }

  /** Its files are fetched once more, after that had failed. Throws CONFLICT when it had not. */
  async fetchAgain(who: Principal, projectId: string): Promise<Project> {
    const project = await this.find(who, projectId);
    if (!projectPolicy.contribute(who, project)) throw problems.forbidden('fetch its files', project.teamId);
    if (!(await this.fetches.retry(project.id, who.user.id)))
      throw new ProblemError(
        'CONFLICT',
        'There is nothing to fetch again: the project’s files are here or on their way.',
      );
    await this.audit.note(who, project.teamId, { action: 'project:fetch', object: project.id });
    return this.get(who, project.id);
  }

  /** Ends what brings its files, or keeps it from beginning. Throws CONFLICT when there is nothing to stop. */
  async stopFetch(who: Principal, projectId: string): Promise<Project> {
    const project = await this.find(who, projectId);
    if (!projectPolicy.contribute(who, project)) throw problems.forbidden('stop this', project.teamId);
    if (!(await this.fetches.stop(project.id, `${who.user.name} stopped it. Nothing half-fetched was kept.`)))
      throw new ProblemError('CONFLICT', 'There is nothing to stop: the project’s files are not on their way.');
    await this.audit.note(who, project.teamId, { action: 'project:fetch-stop', object: project.id });
    return this.get(who, project.id);
  }

  async archive(who: Principal, projectId: string): Promise<void> {
    const project = await this.find(who, projectId);
    if (!projectPolicy.archive(who, project)) throw problems.forbidden('archive this project', project.teamId);
    if (!(await this.projects.archive(project.id)))
      throw new ProblemError('CONFLICT', 'The project was archived already.');
    await this.audit.note(who, project.teamId, { action: 'project:archive', object: project.id });
  }

  /** An archived one too. */
  async findAlsoArchived(who: Principal, projectId: string): Promise<{ project: ProjectRecord; isArchived: boolean }> {
    const found = await this.projects.findForUser(knownId('project', projectId), who.user.id, true);
    const project = found ?? (await this.find(who, projectId));
    if (!projectPolicy.read(who, project)) throw problems.projectNotFound();
    return { project, isArchived: found !== null };
  }

  /** For those who may archive it, also after it was deleted. Throws CONFLICT when it is not archived. */
  async restore(who: Principal, projectId: string): Promise<Project> {
    const deleted = await this.deletions.findForUser(knownId('project', projectId), who.user.id);
    const project = deleted ?? (await this.findAlsoArchived(who, projectId)).project;
    if ('createdById' in project && !projectPolicy.archive(who, project))
      throw problems.forbidden('restore this project', project.teamId);
    if (!(await this.projects.restore(project.id))) throw new ProblemError('CONFLICT', 'The project is not archived.');
    await this.audit.note(who, project.teamId, { action: 'project:restore', object: project.id });
    return this.get(who, project.id);
  }
}

/** A project as it is on the wire, for that person. */
export function shownProject(who: Principal, project: ProjectRecord): Project {
  const { id, teamId, name, visibility, source, sourceState, options, limits, strict, autoApprove } = project;
  const { baseCommit, baseBranch, report, refresh, behind, refreshBeforeSession, branchPattern } = project;
  const { createdAt, updatedAt } = project;
  const role = roleInProject(who, project) ?? 'read';
  return {
    ...{ id, teamId, name, visibility, role, source, sourceState },
    ...{ baseCommit, baseBranch, report, refresh, behind, refreshBeforeSession, branchPattern },
    ...{ options, limits, strict, autoApprove, createdAt, updatedAt },
  };
}
