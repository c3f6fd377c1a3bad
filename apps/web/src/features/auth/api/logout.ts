import { requestUnsigned } from '../../../lib/http/api-client';

export function logout(): Promise<void> {
  return requestUnsigned('/v1/auth/logout', { method: 'POST' });
}
