import { requestUnsigned } from '../../../lib/http/api-client';

export function forgotPassword(body: { email: string }): Promise<void> {
  return requestUnsigned('/v1/auth/password/forgot', { method: 'POST', body });
}
