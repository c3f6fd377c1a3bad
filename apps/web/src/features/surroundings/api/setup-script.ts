import type { SetupScript } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

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
