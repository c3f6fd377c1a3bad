import type { Project } from '@chirality/contracts';

/** Whether a project's files are still to come, without anybody's doing. */
export function isOnItsWay(project: Pick<Project, 'sourceState'>): boolean {
  const { status } = project.sourceState;
  return status === 'waiting' || status === 'fetching';
}
