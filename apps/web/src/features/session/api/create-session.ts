import type { CreateSession, Session } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function createSession(body: Pick<CreateSession, 'projectId'> & Partial<CreateSession>): Promise<Session> {
  return request('/v1/sessions', { method: 'POST', body });
}
