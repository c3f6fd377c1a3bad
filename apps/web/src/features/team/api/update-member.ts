import type { Member, Role } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function updateMember({
  teamId,
  userId,
  role,
}: {
  teamId: string;
  userId: string;
  role: Role;
}): Promise<Member> {
  return request(`/v1/teams/${teamId}/members/${userId}`, { method: 'PATCH', body: { role } });
}
