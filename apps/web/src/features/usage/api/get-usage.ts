import type { UsageGroup, UsageReport } from '@chirality/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';

export type UsageFilter = {
  groupBy: UsageGroup;
  from?: string;
  to?: string;
  timezone: string;
  teamId?: string;
  projectId?: string;
};

export function usageQuery(filter: UsageFilter) {
  return infiniteQueryOptions({
    queryKey: ['usage', filter],
    queryFn: ({ pageParam, signal }) =>
      request<UsageReport>(`/v1/usage${queryString({ ...filter, ...(pageParam !== null && { cursor: pageParam }) })}`, {
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 15_000,
    placeholderData: (previous) => previous,
  });
}
