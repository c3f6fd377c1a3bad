import type { LoginResponse } from '@chirality/contracts';
import { requestUnsigned } from '../../../lib/http/api-client';

/** A new access token for the refresh cookie. */
export function refresh(): Promise<LoginResponse> {
  return requestUnsigned('/v1/auth/refresh', { method: 'POST' });
}
