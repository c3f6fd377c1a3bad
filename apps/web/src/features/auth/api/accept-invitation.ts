import type { LoginResponse } from '@chirality/contracts';
import { requestUnsigned } from '../../../lib/http/api-client';

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
