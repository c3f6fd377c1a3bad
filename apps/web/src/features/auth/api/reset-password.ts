import { requestUnsigned } from '../../../lib/http/api-client';

export function resetPassword(body: { token: string; newPassword: string }): Promise<void> {
  return requestUnsigned('/v1/auth/password/reset', { method: 'POST', body });
}
