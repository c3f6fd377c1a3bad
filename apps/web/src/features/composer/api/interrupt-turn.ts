import { request } from '../../../lib/http/api-client';

export function interruptTurn(sessionId: string): Promise<unknown> {
  return request(`/v1/sessions/${sessionId}/interrupt`, { method: 'POST' });
}
