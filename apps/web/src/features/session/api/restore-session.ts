import type { Session } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

/** Brings an archived session back, with its files and its conversation. */
export function restoreSession(sessionId: string): Promise<Session> {
  return request(`/v1/sessions/${sessionId}/restore`, { method: 'POST' });
}
