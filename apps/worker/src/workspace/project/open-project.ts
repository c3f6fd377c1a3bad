import { ProblemError } from '@chirality/platform';
import type { ProjectRecord, ProjectRepository } from './project.types';
import type { ProjectRepositories } from './project-repositories';

/** The repository of a project by its id, built on this worker if need be. Throws NOT_FOUND for an unknown project. */
export type OpenProject = (projectId: string) => Promise<ProjectRepository>;

export function projectOpener(
  projects: Pick<ProjectRepositories, 'ensure'>,
  find: (projectId: string) => Promise<ProjectRecord | null>,
): OpenProject {
  return async (projectId) => {
    const project = await find(projectId);
    if (!project) throw new ProblemError('NOT_FOUND', 'There is no such project.');
    return projects.ensure(project);
  };
}
