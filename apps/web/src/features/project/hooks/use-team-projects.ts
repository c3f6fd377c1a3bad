import type { Project } from '@chirality/contracts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useTeam } from '../../access/hooks/use-team';
import { projectsQuery } from '../project.api';

/** The projects of the chosen team. */
export function useTeamProjects(): UseQueryResult<Project[]> {
  const teamId = useTeam()?.id;
  return useQuery({
    ...projectsQuery,
    select: (projects: Project[]) => projects.filter((project) => project.teamId === teamId),
  });
}
