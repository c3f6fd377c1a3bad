import type { AuthOptions, Device, InvitationPreview, LoginResponse, Page, UpdateMe, User } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { answerOf, unsignedApi } from '../../lib/http/api';
import { request, requestUnsigned } from '../../lib/http/api-client';

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
    queryFn: () => requestUnsigned<InvitationPreview>('/v1/invitations/preview', { method: 'POST', body: { token } }),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Joins with the account that is signed in. */
export function joinTeam(token: string): Promise<void> {
  return request('/v1/invitations/join', { method: 'POST', body: { token } });
}

export function updateMe(body: UpdateMe): Promise<User> {
  return request('/v1/me', { method: 'PATCH', body });
}

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: async ({ signal }) => (await request<Page<Device>>('/v1/me/devices', { signal })).data,
});

export function signOutDevice(deviceId: string): Promise<void> {
  return request(`/v1/me/devices/${deviceId}`, { method: 'DELETE' });
}

export function signOutOtherDevices(): Promise<void> {
  return request('/v1/me/devices', { method: 'DELETE' });
}

export function acceptInvitation({
  token,
  ...body
}: {
  token: string;
  name?: string;
  password: string;
}): Promise<LoginResponse> {
  return requestUnsigned(`/v1/invitations/${encodeURIComponent(token)}/accept`, { method: 'POST', body });
}

export function changePassword(body: { currentPassword: string; newPassword: string }): Promise<void> {
  return request('/v1/auth/password/change', { method: 'POST', body });
}

export function forgotPassword(body: { email: string }): Promise<void> {
  return requestUnsigned('/v1/auth/password/forgot', { method: 'POST', body });
}

export function login(credentials: { email: string; password: string }): Promise<LoginResponse> {
  return requestUnsigned('/v1/auth/login', { method: 'POST', body: credentials });
}

export function logout(): Promise<void> {
  return requestUnsigned('/v1/auth/logout', { method: 'POST' });
}

/** A new access token for the refresh cookie. */
export function refresh(): Promise<LoginResponse> {
  return requestUnsigned('/v1/auth/refresh', { method: 'POST' });
}

export function resetPassword(body: { token: string; newPassword: string }): Promise<void> {
  return requestUnsigned('/v1/auth/password/reset', { method: 'POST', body });
}
