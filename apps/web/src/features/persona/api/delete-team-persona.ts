import { request } from '../../../lib/http/api-client';

export function deleteTeamPersona(personaId: string): Promise<void> {
  return request(`/v1/personas/${personaId}`, { method: 'DELETE' });
}
