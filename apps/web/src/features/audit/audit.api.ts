import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query';
import { answerOf, api, rowsOf, within } from '../../lib/http/api';
import { projectAuditKey } from '../../lib/http/shared-keys';

/** The latest acts on a project and on what belongs to it. */
export function projectAuditQuery(teamId: string, projectId: string) {
  return queryOptions({
    queryKey: projectAuditKey(projectId),
    queryFn: ({ signal }) =>
      rowsOf(api.GET('/v1/audit', { params: { query: { teamId, projectId, limit: 20 } }, signal })),
  });
}

export type TeamAuditFilter = { teamId: string; userId?: string; action?: string; from?: string; to?: string };

export function teamAuditQuery(filter: TeamAuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', 'team', filter],
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        api.GET('/v1/audit', { params: { query: { ...filter, cursor: pageParam ?? undefined, limit: 50 } }, signal }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** A log of years is read page by page. */
const EXPORT_MS = 10 * 60_000;

type AuditFormat = 'csv' | 'json';

/**
 * Everything that fits, as a file. A link cannot carry the access token, so it is fetched and handed over as a blob.
 */
export function useExportAudit(filter: TeamAuditFilter, onFetched: (file: Blob, format: AuditFormat) => void) {
  return useMutation({
    mutationFn: (format: AuditFormat) =>
      answerOf(
        api.GET('/v1/audit/export', {
          params: { query: { ...filter, format } },
          parseAs: 'blob',
          ...within(EXPORT_MS),
        }),
      ),
    onSuccess: onFetched,
  });
}
