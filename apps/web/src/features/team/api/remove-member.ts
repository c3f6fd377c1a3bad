import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';

/** `handTo`: who owns the member's sessions from then on; without one their private sessions are archived. */
export function removeMember({
  teamId,
  userId,
  handTo,
}: {
  teamId: string;
  userId: string;
  handTo: string | null;
}): Promise<void> {
  return request(`/v1/teams/${teamId}/members/${userId}${queryString({ handTo })}`, { method: 'DELETE' });
}
