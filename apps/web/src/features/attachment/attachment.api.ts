import type { Attachment } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, within } from '../../lib/http/api';
import { retryOnce } from '../../lib/http/retry-once';
import { sendBody } from '../../lib/http/send-file';

/** Ten megabytes by a slow line. */
const DOWNLOAD_MS = 300_000;

type Place = { sessionId: string; attachmentId: string };

export async function uploadAttachment(
  sessionId: string,
  file: File,
  { onProgress, signal }: { onProgress: (sent: number) => void; signal: AbortSignal },
): Promise<Attachment> {
  const url = `/v1/sessions/${encodeURIComponent(sessionId)}/attachments?name=${encodeURIComponent(file.name || 'file')}`;
  return (await sendBody({
    method: 'POST',
    url,
    type: 'application/octet-stream',
    file,
    onProgress,
    signal,
  })) as Attachment;
}

export async function removeAttachment({ sessionId, attachmentId }: Place): Promise<void> {
  await api.DELETE('/v1/sessions/{sessionId}/attachments/{attachmentId}', {
    params: { path: { sessionId, attachmentId } },
  });
}

/** Its bytes never change. */
export function attachmentContentQuery({ sessionId, attachmentId }: Place) {
  return queryOptions({
    queryKey: ['attachment', sessionId, attachmentId],
    queryFn: async ({ signal }): Promise<Blob> =>
      answerOf(
        api.GET('/v1/sessions/{sessionId}/attachments/{attachmentId}', {
          params: { path: { sessionId, attachmentId } },
          parseAs: 'blob',
          signal,
          ...within(DOWNLOAD_MS),
        }),
      ),
    staleTime: Infinity,
    gcTime: 5 * 60_000,
    retry: retryOnce,
  });
}
