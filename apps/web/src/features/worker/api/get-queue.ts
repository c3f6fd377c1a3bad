import type { QueueState } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export const queueQuery = queryOptions({
  queryKey: ['queue'],
  queryFn: ({ signal }) => request<QueueState>('/v1/queue', { signal }),
  refetchInterval: 5_000,
});
