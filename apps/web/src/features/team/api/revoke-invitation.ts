import { request } from '../../../lib/http/api-client';

export function revokeInvitation({ teamId, invitationId }: { teamId: string; invitationId: string }): Promise<void> {
  return request(`/v1/teams/${teamId}/invitations/${invitationId}`, { method: 'DELETE' });
}
