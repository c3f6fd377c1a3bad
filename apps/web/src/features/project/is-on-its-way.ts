import type { Project } from '@chirality/contracts';

/** Whether its remote is being asked for newer commits. */
export function isRefreshing({ refresh }: Pick<Project, 'refresh'>): boolean {
  return refresh?.status === 'waiting' || refresh?.status === 'running';
}

/** Whether a project's files are still to come, with no one having to act. */
export function isOnItsWay(project: Pick<Project, 'sourceState'>): boolean {
  const { status } = project.sourceState;
  return status === 'waiting' || status === 'fetching';
}
