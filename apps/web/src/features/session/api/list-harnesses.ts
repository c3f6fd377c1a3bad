import type { Harness, Page } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export const harnessesQuery = queryOptions({
  queryKey: ['harnesses'],
  queryFn: async ({ signal }) => (await request<Page<Harness>>('/v1/harnesses', { signal })).data,
  staleTime: 60_000,
});
