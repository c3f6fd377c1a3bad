import type { Project } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function projectQuery(projectId: string) {
  return queryOptions({
    queryKey: ['project', projectId],
    queryFn: ({ signal }) => request<Project>(`/v1/projects/${projectId}`, { signal }),
    staleTime: 30_000,
  });
}
