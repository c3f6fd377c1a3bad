import { request } from '../../../lib/http/api-client';

type Order = { sessionId: string; message: string; paths?: string[] | undefined };

/** A commit of many files takes its time. */
const COMMIT_MS = 11 * 60_000;

/** Without `paths` everything that is not ignored is committed. */
export function commitChanges({ sessionId, message, paths }: Order): Promise<{ commit: string }> {
  return request(`/v1/sessions/${sessionId}/commit`, {
    method: 'POST',
    timeoutMs: COMMIT_MS,
    body: { message, ...(paths ? { paths } : {}) },
  });
}
