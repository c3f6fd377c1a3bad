import type { AuditEntry, Page } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

/** The latest acts on a project and on what belongs to it. */
export function projectAuditQuery(teamId: string, projectId: string) {
  return queryOptions({
    queryKey: ['audit', projectId],
    queryFn: async ({ signal }) =>
      (await request<Page<AuditEntry>>(`/v1/audit?teamId=${teamId}&projectId=${projectId}&limit=20`, { signal })).data,
  });
}
