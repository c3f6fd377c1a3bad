import type { CreateSession, ExportFormat, Session, UpdateSession, Visibility } from '@chirality/contracts';
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { answerOf, api, rowsOf, within } from '../../lib/http/api';
import { receivedFile, type ReceivedFile } from '../../lib/http/received-file';
import { sessionsKey } from '../../lib/http/shared-keys';

const sessionWorkspacesKey = ['session-workspace'] as const;

/** As long as the server sends. */
const EXPORT_MS = 10 * 60_000;
const LOOK_AGAIN_MS = 10_000;
const LOOK_NOW_AND_THEN_MS = 60_000;

/** What holds for the session's next turn, each option with where it comes from. */
export function optionsQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['options', sessionId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/sessions/{sessionId}/options', { params: { path: { sessionId } }, signal })),
    staleTime: 0,
  });
}

export function sessionQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['session', sessionId],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/sessions/{sessionId}', { params: { path: { sessionId } }, signal })),
    staleTime: 10_000,
    // No event says that its files are stored, or that they cannot be.
    refetchInterval: ({ state: { data } }) => (data?.unstored ? LOOK_AGAIN_MS : LOOK_NOW_AND_THEN_MS),
  });
}

/** Turns of sessions that are not this reader's to see begin and end there too, so it is asked for. */
const WHO_WORKS_EVERY_MS = 5_000;

/** With which sessions a session shares its files, and who works in them now. */
export function sessionWorkspaceQuery(sessionId: string) {
  return queryOptions({
    queryKey: [...sessionWorkspacesKey, sessionId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/sessions/{sessionId}/workspace', { params: { path: { sessionId } }, signal })),
    staleTime: 0,
    refetchInterval: WHO_WORKS_EVERY_MS,
  });
}

/** A session changed, and may begin or end to work in files that others share. */
export function workspacesChanged(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: sessionWorkspacesKey });
}

export const harnessesQuery = queryOptions({
  queryKey: ['harnesses'],
  queryFn: ({ signal }) => rowsOf(api.GET('/v1/harnesses', { signal })),
  staleTime: 60_000,
});

export type SessionsFilter = { projectId?: string; search?: string; archived?: boolean };

/** Changes are pushed (see apply-session-changes.ts); this is for one that was lost on its way. */
const ASK_AGAIN_MS = 120_000;

export function sessionsQuery(filter: SessionsFilter) {
  return infiniteQueryOptions({
    queryKey: [...sessionsKey, filter],
    queryFn: ({ signal, pageParam: cursor }) => {
      const { archived, ...rest } = filter;
      const query = { ...rest, archived: archived === true ? 'true' : undefined, cursor, limit: 50 };
      return answerOf(api.GET('/v1/sessions', { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: ASK_AGAIN_MS,
    placeholderData: (previous) => previous,
  });
}

/** The latest sessions of all projects, and every one that waits for a person, for the sidebar and the palette. */
export const recentSessionsQuery = queryOptions({
  queryKey: [...sessionsKey, 'recent'],
  queryFn: async ({ signal }) => {
    const [waiting, latest] = await Promise.all([
      rowsOf(api.GET('/v1/sessions', { params: { query: { status: 'waiting', limit: 100 } }, signal })),
      rowsOf(api.GET('/v1/sessions', { params: { query: { limit: 100 } }, signal })),
    ]);
    const sessions = [...latest, ...waiting];
    return [...new Map(sessions.map((session) => [session.id, session])).values()].toSorted(
      (a, b) => b.updatedAt.localeCompare(a.updatedAt) || b.id.localeCompare(a.id),
    );
  },
  refetchInterval: ASK_AGAIN_MS,
});

/** Puts in place what a request answered: the session as it is now. */
export function keepSession(queries: QueryClient, session: Session): void {
  queries.setQueryData(sessionQuery(session.id).queryKey, session);
}

/** The lists of sessions. */
export function sessionsChanged(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: sessionsKey });
}

function sessionOptionsChanged(queries: QueryClient, sessionId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: optionsQuery(sessionId).queryKey });
}

/** One session and what holds for its next turn. */
export async function sessionChanged(queries: QueryClient, sessionId: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: sessionQuery(sessionId).queryKey }),
    sessionOptionsChanged(queries, sessionId),
  ]);
}

type NewSession = Pick<CreateSession, 'projectId'> & Partial<CreateSession>;

export function createSession(body: NewSession): Promise<Session> {
  return answerOf(api.POST('/v1/sessions', { body }));
}

export function useCreateSession(onCreated: (session: Session) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: createSession,
    onSuccess: (session) => {
      keepSession(queries, session);
      void sessionsChanged(queries);
      onCreated(session);
    },
  });
}

function updateSession(sessionId: string, body: UpdateSession): Promise<Session> {
  return answerOf(api.PATCH('/v1/sessions/{sessionId}', { params: { path: { sessionId } }, body }));
}

/** What the lists show of a session. */
function useUpdateListed<Value>(sessionId: string, change: (value: Value) => UpdateSession) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (value: Value) => updateSession(sessionId, change(value)),
    onSuccess: (session) => {
      keepSession(queries, session);
      void sessionsChanged(queries);
    },
  });
}

export function useRenameSession(sessionId: string) {
  return useUpdateListed(sessionId, (title: string) => ({ title }));
}

export function useSetVisibility(sessionId: string) {
  return useUpdateListed(sessionId, (visibility: Visibility) => ({ visibility }));
}

/** With null the session has none. */
export function useSetPersona(sessionId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (persona: string | null) => updateSession(sessionId, { persona }),
    onSuccess: (session) => keepSession(queries, session),
  });
}

export function useSetSessionOptions(sessionId: string, onSaved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (changes: Pick<UpdateSession, 'options' | 'harness'>) => updateSession(sessionId, changes),
    onSuccess: (session) => {
      keepSession(queries, session);
      void sessionOptionsChanged(queries, sessionId);
      onSaved();
    },
  });
}

type Refused = { onError: (error: Error) => void };

/** `key`: the same for every attempt, so that the conversation is compacted once. */
export function useCompactSession(sessionId: string, { onError }: Refused) {
  return useMutation({
    mutationFn: (key: string) =>
      answerOf(
        api.POST('/v1/sessions/{sessionId}/compact', {
          params: { path: { sessionId }, header: { 'Idempotency-Key': key } },
        }),
      ),
    onError,
  });
}

export function archiveSession(sessionId: string): Promise<unknown> {
  return answerOf(api.DELETE('/v1/sessions/{sessionId}', { params: { path: { sessionId } } }));
}

/**
 * Interrupts what runs, ends the session and archives it; it stays readable. `onArchived` is called before the lists
 * are read again.
 */
export function useArchiveSession(sessionId: string, onArchived: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => archiveSession(sessionId),
    onSuccess: () => {
      onArchived();
      return sessionsChanged(queries);
    },
  });
}

/** Ends the session, which then is only among what was deleted, and can be restored from there for a while. */
export function useDeleteSession(sessionId: string, onDeleted: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.POST('/v1/sessions/{sessionId}/delete', { params: { path: { sessionId } } })),
    onSuccess: () => {
      onDeleted();
      return sessionsChanged(queries);
    },
  });
}

/** Restores an archived session, with its files and its conversation. */
export function useRestoreSession(sessionId: string, { onError }: Refused) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.POST('/v1/sessions/{sessionId}/restore', { params: { path: { sessionId } } })),
    onSuccess: (session) => {
      keepSession(queries, session);
      void sessionsChanged(queries);
    },
    onError,
  });
}

type Exported = { onSuccess: (received: ReceivedFile) => void; onError: (error: unknown) => void };

/** The session as a file. A link cannot carry the access token, so it is fetched and handed over. */
export function useExportSession(sessionId: string, { onSuccess, onError }: Exported) {
  return useMutation({
    mutationFn: async (format: ExportFormat) => {
      const { response } = await api.GET('/v1/sessions/{sessionId}/export', {
        params: { path: { sessionId }, query: { format } },
        parseAs: 'stream',
        ...within(EXPORT_MS),
      });
      return receivedFile(response);
    },
    onSuccess,
    onError,
  });
}
