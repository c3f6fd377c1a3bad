import type { Instance } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: ({ signal }) => request<Instance>('/v1/instance', { signal }),
  staleTime: 60_000,
  refetchInterval: 60_000,
});
