import type { CreatedInvitation } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function renewInvitation({
  teamId,
  invitationId,
}: {
  teamId: string;
  invitationId: string;
}): Promise<CreatedInvitation> {
  return request(`/v1/teams/${teamId}/invitations/${invitationId}/link`, { method: 'POST' });
}
