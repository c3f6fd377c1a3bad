import type { Me } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => request<Me>('/v1/me', { signal }),
  staleTime: 60_000,
});
