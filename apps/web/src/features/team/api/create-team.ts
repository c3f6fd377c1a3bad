import type { Team } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function createTeam(body: { name: string; timezone: string }): Promise<Team> {
  return request('/v1/teams', { method: 'POST', body });
}
