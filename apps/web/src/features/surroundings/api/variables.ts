import type { Page, ProjectVariable, PutProjectVariable } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function variablesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['variables', projectId],
    queryFn: async ({ signal }) =>
      (await request<Page<ProjectVariable>>(`/v1/projects/${projectId}/variables`, { signal })).data,
  });
}

export function putVariable({
  projectId,
  name,
  ...body
}: { projectId: string; name: string } & PutProjectVariable): Promise<ProjectVariable> {
  return request(`/v1/projects/${projectId}/variables/${encodeURIComponent(name)}`, { method: 'PUT', body });
}

export function removeVariable({ projectId, name }: { projectId: string; name: string }): Promise<void> {
  return request(`/v1/projects/${projectId}/variables/${encodeURIComponent(name)}`, { method: 'DELETE' });
}
