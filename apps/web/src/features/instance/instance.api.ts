import type { Instance, Readiness } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/http/api-client';
import { networkError } from '../../lib/http/api-error';

export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: ({ signal }) => request<Instance>('/v1/instance', { signal }),
  staleTime: 60_000,
  refetchInterval: 60_000,
});

/** What is broken, by part. A service that is not ready answers with 503 and says the same. */
async function getReadiness(signal: AbortSignal): Promise<Readiness> {
  const response = await fetch('/health/ready', { signal, cache: 'no-store' });
  try {
    return (await response.json()) as Readiness;
  } catch {
    throw networkError();
  }
}

export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: ({ signal }) => getReadiness(signal),
  // What breaks is said within five seconds.
  refetchInterval: 3_000,
  retry: false,
});
