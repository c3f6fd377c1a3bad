import type { Session } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

/** Restores an archived session, with its files and its conversation. */
export function restoreSession(sessionId: string): Promise<Session> {
  return request(`/v1/sessions/${sessionId}/restore`, { method: 'POST' });
}
