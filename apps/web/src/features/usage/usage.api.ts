import type { UsageGroup, UsageReport, UsageSeries, UsageStack } from '@chirality/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request, requestResponse } from '../../lib/http/api-client';
import { queryString } from '../../lib/http/query-string';

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

export type SeriesFilter = Omit<UsageFilter, 'groupBy'> & { stackBy: UsageStack };

export function usageSeriesQuery(filter: SeriesFilter) {
  return queryOptions({
    queryKey: ['usage', 'series', filter],
    queryFn: ({ signal }) => request<UsageSeries>(`/v1/usage/series${queryString(filter)}`, { signal }),
    staleTime: 15_000,
    placeholderData: (previous) => previous,
  });
}

/** The same report as a file. A link cannot carry the access token, so it is fetched and handed over as a blob. */
export async function getUsageCsv(filter: UsageFilter): Promise<Blob> {
  const response = await requestResponse(`/v1/usage${queryString({ ...filter, format: 'csv' })}`, {
    headers: { accept: 'text/csv' },
  });
  return response.blob();
}
