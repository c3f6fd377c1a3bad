import type { Role, UpdateTeam } from '@chirality/contracts';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../lib/http/api';
import { membersChanged, teamsChanged } from '../access/access.api';

/** Nothing is pushed when someone joins. A page that is not in sight does not ask. */
export const JOINED_AGAIN_MS = 10_000;

export function belongingsQuery(teamId: string, userId: string) {
  return queryOptions({
    queryKey: ['belongings', teamId, userId],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/teams/{teamId}/members/{userId}/belongings', { params: { path: { teamId, userId } }, signal }),
      ),
    staleTime: 0,
  });
}

/** `onCreated` has the new team, once the list of teams has it, too. */
export function useCreateTeam(onCreated: (team: { id: string }) => Promise<void>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; timezone: string }) => answerOf(api.POST('/v1/teams', { body })),
    onSuccess: async (team) => {
      await teamsChanged(queries);
      await onCreated(team);
    },
  });
}

export function useUpdateTeam(teamId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateTeam) => answerOf(api.PATCH('/v1/teams/{teamId}', { params: { path: { teamId } }, body })),
    onSuccess: () => teamsChanged(queries),
  });
}

export function useSetRole(teamId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
      answerOf(
        api.PATCH('/v1/teams/{teamId}/members/{userId}', { params: { path: { teamId, userId } }, body: { role } }),
      ),
    onSettled: () => membersChanged(queries, teamId),
  });
}

/** `handTo`: who owns the member's sessions from then on; without one their private sessions are archived. */
export function useRemoveMember(teamId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, handTo }: { userId: string; handTo: string | null }) =>
      answerOf(
        api.DELETE('/v1/teams/{teamId}/members/{userId}', {
          params: { path: { teamId, userId }, query: { handTo: handTo ?? undefined } },
        }),
      ),
    onSuccess: () => membersChanged(queries, teamId),
  });
}

/** Makes a link with which a member sets a new password. */
export function useResetMemberPassword(teamId: string) {
  return useMutation({
    mutationFn: (userId: string) =>
      answerOf(
        api.POST('/v1/teams/{teamId}/members/{userId}/password-reset', { params: { path: { teamId, userId } } }),
      ),
  });
}

export function invitationsQuery(teamId: string) {
  return queryOptions({
    queryKey: ['invitations', teamId],
    queryFn: ({ signal }) =>
      rowsOf(api.GET('/v1/teams/{teamId}/invitations', { params: { path: { teamId } }, signal })),
    refetchInterval: JOINED_AGAIN_MS,
  });
}

function invitationsChanged(queries: QueryClient, teamId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: invitationsQuery(teamId).queryKey });
}

export function useInvite(teamId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; role: Exclude<Role, 'owner'> }) =>
      answerOf(api.POST('/v1/teams/{teamId}/invitations', { params: { path: { teamId } }, body })),
    onSuccess: () => invitationsChanged(queries, teamId),
  });
}

export function useRenewInvitation(teamId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: string) =>
      answerOf(
        api.POST('/v1/teams/{teamId}/invitations/{invitationId}/link', { params: { path: { teamId, invitationId } } }),
      ),
    onSettled: () => invitationsChanged(queries, teamId),
  });
}

export function useRevokeInvitation(teamId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: string) =>
      answerOf(
        api.DELETE('/v1/teams/{teamId}/invitations/{invitationId}', { params: { path: { teamId, invitationId } } }),
      ),
    onSettled: () => invitationsChanged(queries, teamId),
  });
}
