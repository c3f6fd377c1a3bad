import { request } from '../../../lib/http/api-client';

export function removeMember({ teamId, userId }: { teamId: string; userId: string }): Promise<void> {
  return request(`/v1/teams/${teamId}/members/${userId}`, { method: 'DELETE' });
}
