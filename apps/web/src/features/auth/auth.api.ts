import type { AuthOptions, LoginResponse, UpdateMe, User } from '@chirality/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, rowsOf, unsignedApi } from '../../lib/http/api';
import { membersChanged, teamsChanged } from '../access/access.api';
import { useAuth } from '../access/auth-service';
import { signOut } from '../access/sign-out';

export function getAuthOptions(): Promise<AuthOptions> {
  return answerOf(unsignedApi.GET('/v1/auth/options'));
}

export const authOptionsQuery = queryOptions({
  queryKey: ['auth-options'],
  queryFn: getAuthOptions,
  staleTime: 60_000,
});

/** What a link is for. The token goes in the body, so that no address holds it. */
export function invitationPreviewQuery(token: string) {
  return queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => answerOf(unsignedApi.POST('/v1/invitations/preview', { body: { token } })),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** A request that carries a password or a token is not kept in memory after it. */
const NOT_KEPT = { gcTime: 0 } as const;

/** Joins with the account that is signed in. */
export function useJoinTeam() {
  return useMutation({
    ...NOT_KEPT,
    mutationFn: (token: string) => answerOf(api.POST('/v1/invitations/join', { body: { token } })),
  });
}

/** Joins with the account of the invited address, which is made where there is none. */
export function useAcceptInvitation(token: string) {
  return useMutation({
    ...NOT_KEPT,
    mutationFn: (body: { name?: string; password: string }) =>
      answerOf(unsignedApi.POST('/v1/invitations/{token}/accept', { params: { path: { token } }, body })),
  });
}

export function useLogin() {
  return useMutation({
    ...NOT_KEPT,
    mutationFn: (body: { email: string; password: string }) => answerOf(unsignedApi.POST('/v1/auth/login', { body })),
  });
}

/** A new access token for the refresh cookie. */
export function refresh(): Promise<LoginResponse> {
  return answerOf(unsignedApi.POST('/v1/auth/refresh'));
}

export function logout(): Promise<void> {
  return answerOf(unsignedApi.POST('/v1/auth/logout'));
}

export function useForgotPassword() {
  return useMutation({
    mutationFn: (email: string) => answerOf(unsignedApi.POST('/v1/auth/password/forgot', { body: { email } })),
  });
}

export function useResetPassword() {
  return useMutation({
    ...NOT_KEPT,
    mutationFn: (body: { token: string; newPassword: string }) =>
      answerOf(unsignedApi.POST('/v1/auth/password/reset', { body })),
  });
}

export function useChangePassword() {
  return useMutation({
    ...NOT_KEPT,
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      answerOf(api.POST('/v1/auth/password/change', { body })),
  });
}

export function useUpdateMe(onSaved: (user: User) => void) {
  const queries = useQueryClient();
  return useMutation({
    ...NOT_KEPT,
    mutationFn: (body: UpdateMe) => answerOf(api.PATCH('/v1/me', { body })),
    onSuccess: async (user) => {
      onSaved(user);
      await Promise.all([teamsChanged(queries), membersChanged(queries)]);
    },
  });
}

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => rowsOf(api.GET('/v1/me/devices', { signal })),
});

export function useSignOutDevice() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (deviceId: string) =>
      answerOf(api.DELETE('/v1/me/devices/{deviceId}', { params: { path: { deviceId } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: devicesQuery.queryKey }),
  });
}

/** Signs out on every other device, then here; nowhere when the person stays for what is not saved. */
export function useSignOutEverywhere() {
  const auth = useAuth();
  return useMutation({ mutationFn: () => signOut(auth, () => answerOf(api.DELETE('/v1/me/devices'))) });
}
