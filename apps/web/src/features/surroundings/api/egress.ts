import type { EgressLogEntry, Page, ProjectEgress } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function egressQuery(projectId: string) {
  return queryOptions({
    queryKey: ['egress', projectId],
    queryFn: ({ signal }) => request<ProjectEgress>(`/v1/projects/${projectId}/egress`, { signal }),
  });
}

export function egressLogQuery(projectId: string) {
  return queryOptions({
    queryKey: ['egress-log', projectId],
    queryFn: async ({ signal }) =>
      (await request<Page<EgressLogEntry>>(`/v1/projects/${projectId}/egress/log`, { signal })).data,
    refetchInterval: 15_000,
  });
}

export function replaceEgress({ projectId, ...body }: { projectId: string } & ProjectEgress): Promise<ProjectEgress> {
  return request(`/v1/projects/${projectId}/egress`, { method: 'PUT', body });
}
