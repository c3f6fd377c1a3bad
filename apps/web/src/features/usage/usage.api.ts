import type { UsageGroup, UsageStack } from '@chirality/contracts';
import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query';
import { answerOf, api } from '../../lib/http/api';

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
      answerOf(api.GET('/v1/usage', { params: { query: { ...filter, cursor: pageParam ?? undefined } }, signal })),
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
    queryFn: ({ signal }) => answerOf(api.GET('/v1/usage/series', { params: { query: filter }, signal })),
    staleTime: 15_000,
    placeholderData: (previous) => previous,
  });
}

/** The same report as a file. A link cannot carry the access token, so it is fetched and handed over as a blob. */
export function useUsageCsv(filter: UsageFilter, onFetched: (file: Blob) => void) {
  return useMutation({
    mutationFn: () =>
      answerOf(
        api.GET('/v1/usage', {
          params: { query: { ...filter, format: 'csv' } },
          headers: { accept: 'text/csv' },
          parseAs: 'blob',
        }),
      ),
    onSuccess: onFetched,
  });
}
