import type { LoginResponse } from '@chirality/contracts';
import { requestUnsigned } from '../../../lib/http/api-client';

export function login(credentials: { email: string; password: string }): Promise<LoginResponse> {
  return requestUnsigned('/v1/auth/login', { method: 'POST', body: credentials });
}
