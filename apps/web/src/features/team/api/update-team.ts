import type { Team, UpdateTeam } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function updateTeam({ teamId, ...body }: UpdateTeam & { teamId: string }): Promise<Team> {
  return request(`/v1/teams/${teamId}`, { method: 'PATCH', body });
}
