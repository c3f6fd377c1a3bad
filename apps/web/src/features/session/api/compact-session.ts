import { request } from '../../../lib/http/api-client';

export function compactSession({ sessionId, key }: { sessionId: string; key: string }): Promise<unknown> {
  return request(`/v1/sessions/${sessionId}/compact`, { method: 'POST', headers: { 'idempotency-key': key } });
}
