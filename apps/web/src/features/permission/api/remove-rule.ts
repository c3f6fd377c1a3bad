import { request } from '../../../lib/http/api-client';

export function removeRule({ sessionId, ruleId }: { sessionId: string; ruleId: string }): Promise<void> {
  return request(`/v1/sessions/${sessionId}/rules/${ruleId}`, { method: 'DELETE' });
}
