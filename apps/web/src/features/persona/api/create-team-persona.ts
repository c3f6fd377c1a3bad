import type { TeamPersona } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function createTeamPersona(body: { teamId: string; key: string; text: string }): Promise<TeamPersona> {
  return request('/v1/personas', { method: 'POST', body });
}
