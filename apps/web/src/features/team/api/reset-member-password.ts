import type { ResetLink } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function resetMemberPassword({ teamId, userId }: { teamId: string; userId: string }): Promise<ResetLink> {
  return request(`/v1/teams/${teamId}/members/${userId}/password-reset`, { method: 'POST' });
}
