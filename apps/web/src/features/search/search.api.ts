import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../lib/http/api';
import type { searchFilterOf } from './search-address';

type SearchFilter = ReturnType<typeof searchFilterOf>;

const IN_PALETTE = 8;

/** What was said or done, page by page. Nothing is asked before there is something to search for. */
export function searchQuery(filter: SearchFilter) {
  return infiniteQueryOptions({
    queryKey: ['search', filter],
    queryFn: ({ pageParam, signal }) =>
      answerOf(api.GET('/v1/search', { params: { query: { ...filter, cursor: pageParam ?? undefined } }, signal })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: filter.q !== '',
    staleTime: 10_000,
  });
}

/** The first few, for a list that has other things too. */
export function firstHitsQuery(q: string) {
  return queryOptions({
    queryKey: ['search', 'first', q],
    queryFn: ({ signal }) => rowsOf(api.GET('/v1/search', { params: { query: { q, limit: IN_PALETTE } }, signal })),
    staleTime: 10_000,
    retry: false,
  });
}
