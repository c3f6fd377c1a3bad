import type { Project } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { isOnItsWay } from '../is-on-its-way';

/** As often as a worker says how far it is. */
const WATCH_EVERY_MS = 1_000;

export function projectQuery(projectId: string) {
  return queryOptions({
    queryKey: ['project', projectId],
    queryFn: ({ signal }) => request<Project>(`/v1/projects/${projectId}`, { signal }),
    staleTime: 30_000,
    refetchInterval: ({ state: { data } }) => (data && isOnItsWay(data) ? WATCH_EVERY_MS : false),
  });
}
