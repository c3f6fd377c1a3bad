import type {
  Page,
  PersonaDetail,
  PersonaList,
  PersonaVersion,
  TeamPersona,
  UpdatePersona,
} from '@chirality/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/http/api-client';

/** What a key means in a project, with its text. */
export function personaQuery(projectId: string, key: string) {
  return queryOptions({
    queryKey: ['personas', projectId, key],
    queryFn: ({ signal }) =>
      request<PersonaDetail>(`/v1/projects/${projectId}/personas/${encodeURIComponent(key)}`, { signal }),
  });
}

export function teamPersonaQuery(personaId: string) {
  return queryOptions({
    queryKey: ['team-persona', personaId],
    queryFn: ({ signal }) => request<TeamPersona>(`/v1/personas/${personaId}`, { signal }),
  });
}

/** What a session of the project may take, and what it may not and why. */
export function personasQuery(projectId: string) {
  return queryOptions({
    queryKey: ['personas', projectId],
    queryFn: ({ signal }) => request<PersonaList>(`/v1/projects/${projectId}/personas`, { signal }),
    staleTime: 10_000,
  });
}

export function teamPersonasQuery(teamId: string) {
  return queryOptions({
    queryKey: ['team-personas', teamId],
    queryFn: async ({ signal }) => (await request<Page<TeamPersona>>(`/v1/personas?teamId=${teamId}`, { signal })).data,
  });
}

/** Newest first. */
export function personaVersionsQuery(personaId: string) {
  return queryOptions({
    queryKey: ['team-persona', personaId, 'versions'],
    queryFn: async ({ signal }) =>
      (await request<Page<PersonaVersion>>(`/v1/personas/${personaId}/versions`, { signal })).data,
  });
}

export function approvePersona({
  projectId,
  key,
  contentHash,
}: {
  projectId: string;
  key: string;
  contentHash: string;
}): Promise<PersonaDetail> {
  return request(`/v1/projects/${projectId}/personas/${encodeURIComponent(key)}/approve`, {
    method: 'POST',
    body: { contentHash },
  });
}

export function createTeamPersona(body: { teamId: string; key: string; text: string }): Promise<TeamPersona> {
  return request('/v1/personas', { method: 'POST', body });
}

export function deleteTeamPersona(personaId: string): Promise<void> {
  return request(`/v1/personas/${personaId}`, { method: 'DELETE' });
}

export function revokeApproval({ projectId, key }: { projectId: string; key: string }): Promise<void> {
  return request(`/v1/projects/${projectId}/personas/${encodeURIComponent(key)}/approve`, { method: 'DELETE' });
}

export function saveTeamPersona({ personaId, ...body }: UpdatePersona & { personaId: string }): Promise<TeamPersona> {
  return request(`/v1/personas/${personaId}`, { method: 'PATCH', body });
}

/** The personas of a project. */
export function personasChanged(queries: QueryClient, projectId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: personasQuery(projectId).queryKey });
}

/** Puts in place what a request answered: the persona as it is now. */
export function keepTeamPersona(queries: QueryClient, persona: TeamPersona): void {
  queries.setQueryData(teamPersonaQuery(persona.id).queryKey, persona);
}

/** The lists of a team, and what projects have of it. */
export async function teamPersonasChanged(queries: QueryClient): Promise<void> {
  await Promise.all([['team-personas'], ['personas']].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** One of a team's personas with its versions, in the lists too. */
export async function teamPersonaChanged(queries: QueryClient, personaId: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: teamPersonaQuery(personaId).queryKey }),
    teamPersonasChanged(queries),
  ]);
}
