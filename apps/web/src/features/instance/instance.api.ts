import type { Readiness } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, uncheckedApi } from '../../lib/http/api';
import { networkError } from '../../lib/http/api-error';

export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/instance', { signal })),
  staleTime: 60_000,
  refetchInterval: 60_000,
});

/** What is broken, by part. A service that is not ready answers with 503 and says the same. */
async function getReadiness(signal: AbortSignal): Promise<Readiness> {
  const { data, error } = await uncheckedApi.GET('/health/ready', { signal });
  const readiness = data ?? error;
  // What stands before the service may answer in its place.
  if (typeof readiness !== 'object' || !('checks' in readiness)) throw networkError();
  return readiness;
}

export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: ({ signal }) => getReadiness(signal),
  // What breaks is said within five seconds.
  refetchInterval: 3_000,
  retry: false,
});
