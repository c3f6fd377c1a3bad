import type { TeamPersona, UpdatePersona } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function saveTeamPersona({ personaId, ...body }: UpdatePersona & { personaId: string }): Promise<TeamPersona> {
  return request(`/v1/personas/${personaId}`, { method: 'PATCH', body });
}
