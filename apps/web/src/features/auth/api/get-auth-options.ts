import type { AuthOptions } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { requestUnsigned } from '../../../lib/http/api-client';

export function getAuthOptions(): Promise<AuthOptions> {
  return requestUnsigned('/v1/auth/options');
}

export const authOptionsQuery = queryOptions({
  queryKey: ['auth-options'],
  queryFn: getAuthOptions,
  staleTime: 60_000,
});
