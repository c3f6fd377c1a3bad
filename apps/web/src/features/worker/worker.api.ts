import type { Page, QueueState, Worker } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/http/api-client';

export const queueQuery = queryOptions({
  queryKey: ['queue'],
  queryFn: ({ signal }) => request<QueueState>('/v1/queue', { signal }),
  refetchInterval: 5_000,
});

export const workersQuery = queryOptions({
  queryKey: ['workers'],
  queryFn: async ({ signal }) => (await request<Page<Worker>>('/v1/workers', { signal })).data,
  refetchInterval: 10_000,
});
