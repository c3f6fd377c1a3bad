import { request } from '../../../lib/http/api-client';

/** Interrupts what runs, ends the session and puts it away; it stays readable. */
export function archiveSession(sessionId: string): Promise<void> {
  return request(`/v1/sessions/${sessionId}`, { method: 'DELETE' });
}
