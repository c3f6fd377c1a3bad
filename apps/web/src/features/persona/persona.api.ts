import type {
  Page,
  PersonaDetail,
  PersonaList,
  PersonaVersion,
  TeamPersona,
  UpdatePersona,
} from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
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
