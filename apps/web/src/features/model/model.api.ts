import type { Model, Page } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/http/api-client';

/** The models that options may name. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async ({ signal }) => (await request<Page<Model>>('/v1/models', { signal })).data,
  staleTime: 60_000,
});
