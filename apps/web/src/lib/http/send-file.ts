import { defaultPathSerializer } from 'openapi-fetch';
import { belowBase } from '../page/base-path';
import { accessToken } from './api-client';
import { errorOfResponse, networkError } from './api-error';
import type { paths } from '@chirality/client';

/** Routes that take a file as their body, and accept it before it is worked on. */
type FileRoute = {
  [Path in keyof paths]: paths[Path] extends {
    put: {
      parameters: { path: Record<string, string> };
      responses: { 202: { content: { 'application/json': unknown } } };
    };
  }
    ? Path
    : never;
}[keyof paths];

type Sending<Path extends FileRoute> = {
  path: paths[Path]['put']['parameters']['path'];
  file: Blob;
  onProgress: (sent: number) => void;
  signal: AbortSignal;
};
type Accepted<Path extends FileRoute> = paths[Path]['put']['responses'][202]['content']['application/json'];

/** Sends an archive to a route that accepts it before it is worked on. Throws `ApiError`. */
export async function sendFile<Path extends FileRoute>(
  route: Path,
  { path, file, onProgress, signal }: Sending<Path>,
): Promise<Accepted<Path>> {
  const url = defaultPathSerializer(route, path);
  return (await sendBody({ method: 'PUT', url, type: 'application/gzip', file, onProgress, signal })) as Accepted<Path>;
}

type SentBody = {
  method: 'PUT' | 'POST';
  url: string;
  type: string;
  headers?: Record<string, string>;
  file: Blob;
  onProgress: (sent: number) => void;
  signal: AbortSignal;
};

/**
 * Sends a file as the body and says how much of it is on its way: `fetch` cannot tell. No limit of time, for a long
 * upload is none that hangs. Throws `ApiError`; an aborted signal ends it with the signal's reason.
 */
export async function sendBody({
  method,
  url,
  type: contentType,
  headers = {},
  file,
  onProgress,
  signal,
}: SentBody): Promise<unknown> {
  const token = await accessToken();
  const { status, text, type } = await new Promise<{ status: number; text: string; type: string }>(
    (resolve, reject) => {
      const sending = new XMLHttpRequest();
      sending.open(method, belowBase(url));
      sending.setRequestHeader('accept', 'application/json');
      sending.setRequestHeader('authorization', `Bearer ${token}`);
      sending.setRequestHeader('content-type', contentType);
      for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value);
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
  return JSON.parse(text);
}
