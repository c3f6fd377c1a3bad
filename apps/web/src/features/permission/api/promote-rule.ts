import type { ProjectRule } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

/** Moves a session's rule to its project. */
export function promoteRule({ sessionId, ruleId }: { sessionId: string; ruleId: string }): Promise<ProjectRule> {
  return request(`/v1/sessions/${sessionId}/rules/${ruleId}/promote`, { method: 'POST' });
}
