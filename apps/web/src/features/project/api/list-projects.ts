import type { Page, Project } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { allPages } from '../../../lib/http/all-pages';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';
import { isOnItsWay } from '../is-on-its-way';

const WATCH_EVERY_MS = 5_000;

/** Projects that were archived and can be restored. */
export const archivedProjectsQuery = queryOptions({
  queryKey: ['projects', 'archived'],
  queryFn: ({ signal }) =>
    allPages((cursor) =>
      request<Page<Project>>(`/v1/projects${queryString({ archived: true, cursor, limit: 200 })}`, { signal }),
    ),
});

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) =>
    allPages((cursor) => request<Page<Project>>(`/v1/projects${queryString({ cursor, limit: 200 })}`, { signal })),
  staleTime: 30_000,
  refetchInterval: ({ state: { data } }) => (data?.some(isOnItsWay) ? WATCH_EVERY_MS : false),
});
