import type { Session, UpdateSession } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function updateSession({ sessionId, ...body }: UpdateSession & { sessionId: string }): Promise<Session> {
  return request(`/v1/sessions/${sessionId}`, { method: 'PATCH', body });
}
