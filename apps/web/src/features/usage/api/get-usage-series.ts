import type { UsageSeries, UsageStack } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';
import type { UsageFilter } from './get-usage';

export type SeriesFilter = Omit<UsageFilter, 'groupBy'> & { stackBy: UsageStack };

export function usageSeriesQuery(filter: SeriesFilter) {
  return queryOptions({
    queryKey: ['usage', 'series', filter],
    queryFn: ({ signal }) => request<UsageSeries>(`/v1/usage/series${queryString(filter)}`, { signal }),
    staleTime: 15_000,
    placeholderData: (previous) => previous,
  });
}
