import type { UsageGroup, UsageReport } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';

export type UsageFilter = { groupBy: UsageGroup; from?: string; to?: string; timezone: string; teamId?: string };

export function usageQuery(filter: UsageFilter) {
  return queryOptions({
    queryKey: ['usage', filter],
    queryFn: ({ signal }) => request<UsageReport>(`/v1/usage${queryString(filter)}`, { signal }),
    staleTime: 15_000,
    placeholderData: (previous) => previous,
  });
}
