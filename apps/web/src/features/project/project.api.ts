import { UPLOAD_LIMIT_BYTES, type CreateProject, type Project, type UpdateProject } from '@chirality/contracts';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { formatBytes } from '../../lib/format/count';
import { allPages } from '@chirality/client';
import { answerOf, api } from '../../lib/http/api';
import { retryOnce } from '../../lib/http/retry-once';
import { sendFile } from '../../lib/http/send-file';
import { projectAuditKey, sessionsKey } from '../../lib/http/shared-keys';
import { isOnItsWay, isRefreshing } from './is-on-its-way';

/** As often as a worker says how far it is. */
const WATCH_ONE_EVERY_MS = 1_000;

export function projectQuery(projectId: string) {
  return queryOptions({
    queryKey: ['project', projectId],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/projects/{projectId}', { params: { path: { projectId } }, signal })),
    staleTime: 30_000,
    refetchInterval: ({ state: { data } }) =>
      data && (isOnItsWay(data) || isRefreshing(data)) ? WATCH_ONE_EVERY_MS : false,
  });
}

const WATCH_ALL_EVERY_MS = 5_000;

/** Projects that were archived and can be restored. */
export const archivedProjectsQuery = queryOptions({
  queryKey: ['projects', 'archived'],
  queryFn: ({ signal }) =>
    allPages((cursor) =>
      answerOf(api.GET('/v1/projects', { params: { query: { archived: 'true', cursor, limit: 200 } }, signal })),
    ),
});

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) =>
    allPages((cursor) => answerOf(api.GET('/v1/projects', { params: { query: { cursor, limit: 200 } }, signal }))),
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
      const page = await answerOf(
        api.GET('/v1/sessions', { params: { query: { projectId, limit: COUNTED } }, signal }),
      );
      const live = page.data.filter(({ status }) => status !== 'idle' && status !== 'archived');
      return { sessions: page.data.length, live: live.length, isMore: page.nextCursor !== null };
    },
    staleTime: 0,
    gcTime: 0,
    retry: retryOnce,
  });
}

/** The sessions whose work exists nowhere else: for the moment before the project goes. */
export function projectWorkQuery(projectId: string) {
  return queryOptions({
    queryKey: ['project-work', projectId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/projects/{projectId}/unpushed-work', { params: { path: { projectId } }, signal })),
    staleTime: 0,
    gcTime: 0,
    retry: retryOnce,
  });
}

/** Puts in place what a request answered: the project as it is now. */
function keepProject(queries: QueryClient, project: Project): void {
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
function projectAudited(queries: QueryClient, projectId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: projectAuditKey(projectId) });
}

export function createProject(body: CreateProject): Promise<Project> {
  return answerOf(api.POST('/v1/projects', { body }));
}

/** `onCreated` has the project, once the lists have it, too. */
export function useCreateProject(onCreated: (project: Project) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: createProject,
    onSuccess: async (project) => {
      await projectsChanged(queries);
      onCreated(project);
    },
  });
}

function updateProject(projectId: string, body: UpdateProject): Promise<Project> {
  return answerOf(api.PATCH('/v1/projects/{projectId}', { params: { path: { projectId } }, body }));
}

export function useRenameProject(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => updateProject(projectId, { name }),
    onSuccess: () => projectChanged(queries, projectId),
  });
}

/** The options and limits that its sessions start from. */
export function useSetProjectDefaults(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Pick<UpdateProject, 'options' | 'limits'>) => updateProject(projectId, body),
    onSuccess: (project) => {
      keepProject(queries, project);
      return projectAudited(queries, projectId);
    },
  });
}

export function useSetProjectPolicy(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Pick<UpdateProject, 'strict' | 'autoApprove'>) => updateProject(projectId, body),
    onSuccess: (project) => keepProject(queries, project),
    onSettled: () => projectAudited(queries, projectId),
  });
}

/** `onArchived` is called before the lists are read again. */
export function useArchiveProject(projectId: string, onArchived: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/projects/{projectId}', { params: { path: { projectId } } })),
    onSuccess: () => {
      onArchived();
      return projectChanged(queries, projectId);
    },
  });
}

/** With it its sessions; it can be restored for a while. `onDeleted` is called before the lists are read again. */
export function useDeleteProject(projectId: string, onDeleted: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.POST('/v1/projects/{projectId}/delete', { params: { path: { projectId } } })),
    onSuccess: () => {
      onDeleted();
      return Promise.all([projectsChanged(queries), queries.invalidateQueries({ queryKey: sessionsKey })]);
    },
  });
}

/** With a project its sessions come back into the lists. */
export function useRestoreProject() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (projectId: string) =>
      answerOf(api.POST('/v1/projects/{projectId}/restore', { params: { path: { projectId } } })),
    onSuccess: async () => {
      await Promise.all([projectsChanged(queries), queries.invalidateQueries({ queryKey: sessionsKey })]);
    },
  });
}

/** What a repository has, with the account that a project of the team would be fetched with. */
export function useListBranches() {
  return useMutation({
    mutationFn: (body: { url: string; teamId?: string }) => answerOf(api.POST('/v1/git-branches', { body })),
  });
}

/** Asks the project's remote for newer commits. */
export function useRefreshProject(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.POST('/v1/projects/{projectId}/refresh', { params: { path: { projectId } } })),
    onSuccess: (project) => keepProject(queries, project),
  });
}

/** Stops asking; the files stay what they were. */
export function useStopRefresh(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/projects/{projectId}/refresh', { params: { path: { projectId } } })),
    onSuccess: (project) => keepProject(queries, project),
    onError: () => projectChanged(queries, projectId),
  });
}

/** When it is refreshed, and how pushed branches are named. */
export function useSetProjectRemote(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Pick<UpdateProject, 'refreshBeforeSession' | 'branchPattern'>) => updateProject(projectId, body),
    onSuccess: (project) => {
      keepProject(queries, project);
      return projectAudited(queries, projectId);
    },
  });
}

/** Has the files of a project fetched once more, after that had failed. */
export function useFetchAgain(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.POST('/v1/projects/{projectId}/fetch', { params: { path: { projectId } } })),
    onSuccess: (project) => keepProject(queries, project),
  });
}

/** Stops fetching or unpacking. Where it was over by then, the page shows what there is. */
export function useStopFetch(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/projects/{projectId}/fetch', { params: { path: { projectId } } })),
    onSuccess: (project) => keepProject(queries, project),
    onError: () => projectChanged(queries, projectId),
  });
}

export const UPLOAD_LIMIT = `${UPLOAD_LIMIT_BYTES / 1024 / 1024} MB`;

type Upload = { archive: File; onProgress: (sent: number) => void; signal: AbortSignal };

/** Sends the archive that the project's files come from; one that is too large is not sent. */
export function useUploadArchive(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ archive, ...on }: Upload) => {
      if (archive.size > UPLOAD_LIMIT_BYTES)
        throw new Error(
          `The archive has ${formatBytes(archive.size)}, and may have ${UPLOAD_LIMIT}. Leave out what can be rebuilt, such as installed packages.`,
        );
      return sendFile('/v1/projects/{projectId}/upload', { path: { projectId }, file: archive, ...on });
    },
    onSuccess: (project) => keepProject(queries, project),
  });
}
