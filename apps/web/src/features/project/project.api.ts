import type { CreateProject, Page, Project, Session, UpdateProject } from '@chirality/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { allPages } from '../../lib/http/all-pages';
import { request } from '../../lib/http/api-client';
import { queryString } from '../../lib/http/query-string';
import { retryOnce } from '../../lib/http/retry-once';
import { sendFile } from '../../lib/http/send-file';
import { isOnItsWay } from './is-on-its-way';
import { projectAuditKey, sessionsKey } from '../../lib/http/shared-keys';

/** As often as a worker says how far it is. */
const WATCH_ONE_EVERY_MS = 1_000;

export function projectQuery(projectId: string) {
  return queryOptions({
    queryKey: ['project', projectId],
    queryFn: ({ signal }) => request<Project>(`/v1/projects/${projectId}`, { signal }),
    staleTime: 30_000,
    refetchInterval: ({ state: { data } }) => (data && isOnItsWay(data) ? WATCH_ONE_EVERY_MS : false),
  });
}

const WATCH_ALL_EVERY_MS = 5_000;

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
  refetchInterval: ({ state: { data } }) => (data?.some(isOnItsWay) ? WATCH_ALL_EVERY_MS : false),
});

const COUNTED = 200;

/**
 * How many sessions of a project one sees, and in how many of them a turn is live: for the moment before it is
 * archived.
 */
export function projectAtStakeQuery(projectId: string) {
  return queryOptions({
    queryKey: ['project-at-stake', projectId],
    queryFn: async ({ signal }) => {
      const page = await request<Page<Session>>(`/v1/sessions${queryString({ projectId, limit: COUNTED })}`, {
        signal,
      });
      const live = page.data.filter(({ status }) => status !== 'idle' && status !== 'archived');
      return { sessions: page.data.length, live: live.length, isMore: page.nextCursor !== null };
    },
    staleTime: 0,
    gcTime: 0,
    retry: retryOnce,
  });
}

export function archiveProject(projectId: string): Promise<void> {
  return request(`/v1/projects/${projectId}`, { method: 'DELETE' });
}

export function createProject(body: CreateProject): Promise<Project> {
  return request('/v1/projects', { method: 'POST', body });
}

/** Has the files of a project fetched once more, after that had failed. */
export function fetchAgain(projectId: string): Promise<Project> {
  return request(`/v1/projects/${projectId}/fetch`, { method: 'POST' });
}

export function renameProject({ projectId, name }: { projectId: string; name: string }): Promise<Project> {
  return request(`/v1/projects/${projectId}`, { method: 'PATCH', body: { name } });
}

export function restoreProject(projectId: string): Promise<Project> {
  return request(`/v1/projects/${projectId}/restore`, { method: 'POST' });
}

export function updateProject({ projectId, ...body }: UpdateProject & { projectId: string }): Promise<Project> {
  return request(`/v1/projects/${projectId}`, { method: 'PATCH', body });
}

export function uploadArchive(
  projectId: string,
  archive: File,
  on: { onProgress: (sent: number) => void; signal: AbortSignal },
): Promise<Project> {
  return sendFile(`/v1/projects/${projectId}/upload`, archive, on);
}

/** Puts in place what a request answered: the project as it is now. */
export function keepProject(queries: QueryClient, project: Project): void {
  queries.setQueryData(projectQuery(project.id).queryKey, project);
}

/** The lists of projects, archived ones too. */
export function projectsChanged(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: projectsQuery.queryKey });
}

/** One project, in the lists too. */
export async function projectChanged(queries: QueryClient, projectId: string): Promise<void> {
  await Promise.all([
    projectsChanged(queries),
    queries.invalidateQueries({ queryKey: projectQuery(projectId).queryKey }),
  ]);
}

/** What was set for the project is in its audit log. */
export function projectAudited(queries: QueryClient, projectId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: projectAuditKey(projectId) });
}

/** With a project its sessions come back into the lists. */
export async function projectRestored(queries: QueryClient): Promise<void> {
  await Promise.all([projectsChanged(queries), queries.invalidateQueries({ queryKey: sessionsKey })]);
}
