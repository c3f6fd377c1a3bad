import type { TeamPersona, UpdatePersona } from '@chirality/contracts';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../lib/http/api';
import type { PersonaDraft } from './persona-draft';

/** What a key means in a project, with its text. */
export function personaQuery(projectId: string, key: string) {
  return queryOptions({
    queryKey: ['personas', projectId, key],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/projects/{projectId}/personas/{key}', { params: { path: { projectId, key } }, signal })),
  });
}

export function teamPersonaQuery(personaId: string) {
  return queryOptions({
    queryKey: ['team-persona', personaId],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/personas/{personaId}', { params: { path: { personaId } }, signal })),
  });
}

/** What a session of the project may take, and what it may not and why. */
export function personasQuery(projectId: string) {
  return queryOptions({
    queryKey: ['personas', projectId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/projects/{projectId}/personas', { params: { path: { projectId } }, signal })),
    staleTime: 10_000,
  });
}

export function teamPersonasQuery(teamId: string) {
  return queryOptions({
    queryKey: ['team-personas', teamId],
    queryFn: ({ signal }) => rowsOf(api.GET('/v1/personas', { params: { query: { teamId } }, signal })),
  });
}

/** Those that are built in, with their texts, as the team's projects have them. */
export function builtInPersonasQuery(teamId: string) {
  return queryOptions({
    queryKey: ['team-personas', teamId, 'built-in'],
    queryFn: ({ signal }) => rowsOf(api.GET('/v1/personas/built-in', { params: { query: { teamId } }, signal })),
  });
}

/** Newest first. */
export function personaVersionsQuery(personaId: string) {
  return queryOptions({
    queryKey: ['team-persona', personaId, 'versions'],
    queryFn: ({ signal }) =>
      rowsOf(api.GET('/v1/personas/{personaId}/versions', { params: { path: { personaId } }, signal })),
  });
}

/** The personas of a project. */
function personasChanged(queries: QueryClient, projectId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: personasQuery(projectId).queryKey });
}

/** Puts in place what a request answered: the persona as it is now. */
function keepTeamPersona(queries: QueryClient, persona: TeamPersona): void {
  queries.setQueryData(teamPersonaQuery(persona.id).queryKey, persona);
}

/** The lists of a team, and what projects have of it. */
async function teamPersonasChanged(queries: QueryClient): Promise<void> {
  await Promise.all([['team-personas'], ['personas']].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** One of a team's personas with its versions, in the lists too. */
async function teamPersonaChanged(queries: QueryClient, personaId: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: teamPersonaQuery(personaId).queryKey }),
    teamPersonasChanged(queries),
  ]);
}

type PersonaOfProject = { projectId: string; key: string };

/** Approves this very text of a persona that is a file of the project. */
export function useApprovePersona({ projectId, key }: PersonaOfProject, onApproved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (contentHash: string) =>
      answerOf(
        api.POST('/v1/projects/{projectId}/personas/{key}/approve', {
          params: { path: { projectId, key } },
          body: { contentHash },
        }),
      ),
    onSuccess: onApproved,
    onSettled: () => personasChanged(queries, projectId),
  });
}

export function useRevokeApproval({ projectId, key }: PersonaOfProject, onRevoked: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      answerOf(api.DELETE('/v1/projects/{projectId}/personas/{key}/approve', { params: { path: { projectId, key } } })),
    onSuccess: onRevoked,
    onSettled: () => personasChanged(queries, projectId),
  });
}

export function useCreateTeamPersona(onCreated: (persona: TeamPersona) => Promise<void>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { teamId: string; key: string; text: string }) => answerOf(api.POST('/v1/personas', { body })),
    onSuccess: async (persona) => {
      keepTeamPersona(queries, persona);
      void teamPersonasChanged(queries);
      await onCreated(persona);
    },
  });
}

function saveTeamPersona(personaId: string, body: UpdatePersona): Promise<TeamPersona> {
  return answerOf(api.PATCH('/v1/personas/{personaId}', { params: { path: { personaId } }, body }));
}

/** Saves a text as the next version. `onSaved` has the persona as it is now, and what was sent. */
export function useSaveTeamPersona(personaId: string, onSaved: (saved: TeamPersona, sent: PersonaDraft) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (sent: PersonaDraft) => saveTeamPersona(personaId, sent),
    onSuccess: (saved, sent) => {
      keepTeamPersona(queries, saved);
      onSaved(saved, sent);
    },
    onSettled: () => teamPersonaChanged(queries, personaId),
  });
}

/** `givenUp`: the unsaved words that the person has given up for it. */
type Restoring = { baseVersion: number; restoreVersion: number; givenUp: string | null };

/** Saves an earlier version as the next one. */
export function useRestoreTeamPersona(personaId: string, onRestored: (givenUp: string | null) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ baseVersion, restoreVersion }: Restoring) =>
      saveTeamPersona(personaId, { baseVersion, restoreVersion }),
    onSuccess: (saved, { givenUp }) => {
      keepTeamPersona(queries, saved);
      onRestored(givenUp);
    },
    onSettled: () => teamPersonaChanged(queries, personaId),
  });
}

/** `onDeleted` is called before the lists are read again. */
export function useDeleteTeamPersona(personaId: string, onDeleted: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/personas/{personaId}', { params: { path: { personaId } } })),
    onSuccess: () => {
      onDeleted();
      void teamPersonaChanged(queries, personaId);
    },
  });
}
