import type { ModelKeyList } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => request<ModelKeyList>('/v1/keys', { signal }),
  staleTime: 30_000,
});
