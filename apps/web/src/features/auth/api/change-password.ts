import { request } from '../../../lib/http/api-client';

export function changePassword(body: { currentPassword: string; newPassword: string }): Promise<void> {
  return request('/v1/auth/password/change', { method: 'POST', body });
}
