import type { AuditEntry, Page } from '@chirality/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request, requestResponse } from '../../lib/http/api-client';
import { queryString } from '../../lib/http/query-string';
import { projectAuditKey } from '../../lib/http/shared-keys';

/** The latest acts on a project and on what belongs to it. */
export function projectAuditQuery(teamId: string, projectId: string) {
  return queryOptions({
    queryKey: projectAuditKey(projectId),
    queryFn: async ({ signal }) =>
      (await request<Page<AuditEntry>>(`/v1/audit?teamId=${teamId}&projectId=${projectId}&limit=20`, { signal })).data,
  });
}

export type TeamAuditFilter = { teamId: string; userId?: string; action?: string; from?: string; to?: string };

export function teamAuditQuery(filter: TeamAuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', 'team', filter],
    queryFn: ({ pageParam, signal }) =>
      request<Page<AuditEntry>>(
        `/v1/audit${queryString({ ...filter, ...(pageParam !== null && { cursor: pageParam }), limit: 50 })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** A log of years is read page by page. */
const EXPORT_MS = 10 * 60_000;

/**
 * Everything that fits, as a file. A link cannot carry the access token, so it is fetched and handed over as a blob.
 */
export async function exportAudit(filter: TeamAuditFilter, format: 'csv' | 'json'): Promise<Blob> {
  return (
    await requestResponse(`/v1/audit/export${queryString({ ...filter, format })}`, { timeoutMs: EXPORT_MS })
  ).blob();
}
