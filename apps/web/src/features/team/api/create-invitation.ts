import type { CreatedInvitation, Role } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function createInvitation({
  teamId,
  ...body
}: {
  teamId: string;
  email: string;
  role: Exclude<Role, 'owner'>;
}): Promise<CreatedInvitation> {
  return request(`/v1/teams/${teamId}/invitations`, { method: 'POST', body });
}
