import type { Invitation, Role } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export type NewInvitation = { invitation: Invitation; token: string; link: string };

export function createInvitation({ teamId, ...body }: { teamId: string; email: string; role: Exclude<Role, 'owner'> }): Promise<NewInvitation> {
  return request(`/v1/teams/${teamId}/invitations`, { method: 'POST', body });
}
