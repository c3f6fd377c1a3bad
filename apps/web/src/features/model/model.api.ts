import { queryOptions } from '@tanstack/react-query';
import { api, rowsOf } from '../../lib/http/api';

/** The models that options may name. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => rowsOf(api.GET('/v1/models', { signal })),
  staleTime: 60_000,
});
