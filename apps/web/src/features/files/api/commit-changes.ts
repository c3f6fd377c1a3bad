import { request } from '../../../lib/http/api-client';

export function commitChanges({ sessionId, message }: { sessionId: string; message: string }): Promise<{ commit: string }> {
  return request(`/v1/sessions/${sessionId}/commit`, { method: 'POST', body: { message } });
}
