import { accessToken } from './api-client';
import { errorOfResponse, networkError } from './api-error';

/**
 * Sends a file as the body and says how much of it is on its way: `fetch` cannot tell. No limit of time, for a long
 * upload is none that hangs. Throws `ApiError`; an aborted signal ends it with the signal's reason.
 */
export async function sendFile<T>(
  path: string,
  file: Blob,
  { onProgress, signal }: { onProgress: (sent: number) => void; signal: AbortSignal },
): Promise<T> {
  const token = await accessToken();
  const { status, text, type } = await new Promise<{ status: number; text: string; type: string }>(
    (resolve, reject) => {
      const sending = new XMLHttpRequest();
      sending.open('PUT', path);
      sending.setRequestHeader('accept', 'application/json');
      sending.setRequestHeader('authorization', `Bearer ${token}`);
      sending.setRequestHeader('content-type', 'application/gzip');
      sending.upload.onprogress = (event) => onProgress(event.loaded);
      sending.onload = () =>
        resolve({
          status: sending.status,
          text: sending.responseText,
          type: sending.getResponseHeader('content-type') ?? '',
        });
      sending.onerror = () => reject(networkError());
      sending.onabort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', () => sending.abort());
      if (signal.aborted) reject(signal.reason as Error);
      else sending.send(file);
    },
  );
  if (status < 200 || status >= 300)
    throw await errorOfResponse(new Response(text, { status, headers: { 'content-type': type } }));
  return JSON.parse(text) as T;
}
