import { request } from '../../../lib/http/api-client';

type Order = { sessionId: string; message: string; paths?: string[] | undefined };

/** Without `paths` everything that is not ignored is committed. */
export function commitChanges({ sessionId, message, paths }: Order): Promise<{ commit: string }> {
  return request(`/v1/sessions/${sessionId}/commit`, { method: 'POST', body: { message, ...(paths ? { paths } : {}) } });
}
