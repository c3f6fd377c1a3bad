import type { AuthOptions } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { answerOf, unsignedApi } from '../../../lib/http/api';

export function getAuthOptions(): Promise<AuthOptions> {
  return answerOf(unsignedApi.GET('/v1/auth/options'));
}

export const authOptionsQuery = queryOptions({
  queryKey: ['auth-options'],
  queryFn: getAuthOptions,
  staleTime: 60_000,
});
