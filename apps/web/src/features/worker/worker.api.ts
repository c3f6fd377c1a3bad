import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../lib/http/api';

export const queueQuery = queryOptions({
  queryKey: ['queue'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/queue', { signal })),
  refetchInterval: 5_000,
});

export const workersQuery = queryOptions({
  queryKey: ['workers'],
  queryFn: ({ signal }) => rowsOf(api.GET('/v1/workers', { signal })),
  refetchInterval: 10_000,
});
