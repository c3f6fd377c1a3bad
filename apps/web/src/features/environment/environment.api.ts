import type {
  EgressLogEntry,
  Page,
  ProjectEgress,
  ProjectVariable,
  PutProjectVariable,
  SetupScript,
} from '@chirality/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/http/api-client';

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

export function setupScriptQuery(projectId: string) {
  return queryOptions({
    queryKey: ['setup-script', projectId],
    queryFn: ({ signal }) => request<SetupScript>(`/v1/projects/${projectId}/setup-script`, { signal }),
  });
}

export function replaceSetupScript({
  projectId,
  script,
}: {
  projectId: string;
  script: string | null;
}): Promise<SetupScript> {
  return request(`/v1/projects/${projectId}/setup-script`, { method: 'PUT', body: { script } });
}

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

export function variablesChanged(queries: QueryClient, projectId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: variablesQuery(projectId).queryKey });
}
