import type {
  Belongings,
  CreatedInvitation,
  Invitation,
  Member,
  Page,
  ResetLink,
  Role,
  Team,
  UpdateTeam,
} from '@chirality/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/http/api-client';
import { queryString } from '../../lib/http/query-string';

export function belongingsQuery(teamId: string, userId: string) {
  return queryOptions({
    queryKey: ['belongings', teamId, userId],
    queryFn: ({ signal }) => request<Belongings>(`/v1/teams/${teamId}/members/${userId}/belongings`, { signal }),
    staleTime: 0,
  });
}

export function invitationsQuery(teamId: string) {
  return queryOptions({
    queryKey: ['invitations', teamId],
    queryFn: async ({ signal }) =>
      (await request<Page<Invitation>>(`/v1/teams/${teamId}/invitations`, { signal })).data,
  });
}

export function createInvitation({
  teamId,
  ...body
}: {
  teamId: string;
  email: string;
  role: Exclude<Role, 'owner'>;
}): Promise<CreatedInvitation> {
  return request(`/v1/teams/${teamId}/invitations`, { method: 'POST', body });
}

export function createTeam(body: { name: string; timezone: string }): Promise<Team> {
  return request('/v1/teams', { method: 'POST', body });
}

/** `handTo`: who owns the member's sessions from then on; without one their private sessions are archived. */
export function removeMember({
  teamId,
  userId,
  handTo,
}: {
  teamId: string;
  userId: string;
  handTo: string | null;
}): Promise<void> {
  return request(`/v1/teams/${teamId}/members/${userId}${queryString({ handTo })}`, { method: 'DELETE' });
}

export function renewInvitation({
  teamId,
  invitationId,
}: {
  teamId: string;
  invitationId: string;
}): Promise<CreatedInvitation> {
  return request(`/v1/teams/${teamId}/invitations/${invitationId}/link`, { method: 'POST' });
}

export function resetMemberPassword({ teamId, userId }: { teamId: string; userId: string }): Promise<ResetLink> {
  return request(`/v1/teams/${teamId}/members/${userId}/password-reset`, { method: 'POST' });
}

export function revokeInvitation({ teamId, invitationId }: { teamId: string; invitationId: string }): Promise<void> {
  return request(`/v1/teams/${teamId}/invitations/${invitationId}`, { method: 'DELETE' });
}

export function updateMember({
  teamId,
  userId,
  role,
}: {
  teamId: string;
  userId: string;
  role: Role;
}): Promise<Member> {
  return request(`/v1/teams/${teamId}/members/${userId}`, { method: 'PATCH', body: { role } });
}

export function updateTeam({ teamId, ...body }: UpdateTeam & { teamId: string }): Promise<Team> {
  return request(`/v1/teams/${teamId}`, { method: 'PATCH', body });
}

export function invitationsChanged(queries: QueryClient, teamId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: invitationsQuery(teamId).queryKey });
}
