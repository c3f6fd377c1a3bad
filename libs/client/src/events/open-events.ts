import { ApiError, errorOfResponse, networkError } from '../http/api-error';
import { sendSigned, type TokenSource } from '../http/signed-fetch';

/** Where the server is and who asks. */
export type Connection = { baseUrl: string; tokens: TokenSource; headers?: Record<string, string> };

/** How long the headers of an answer may take; its body lasts as long as it is wanted. */
const OPEN_LIMIT_MS = 30_000;

/** Opens the stream of a session's events behind one. Throws `ApiError` where it is refused or nothing answers. */
export async function openEvents(
  { baseUrl, tokens, headers }: Connection,
  sessionId: string,
  after: number,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const url = `${baseUrl.replace(/\/$/, '')}/v1/sessions/${encodeURIComponent(sessionId)}/events`;
  const wanted = { ...headers, accept: 'text/event-stream', 'last-event-id': String(after) };
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), OPEN_LIMIT_MS);
  try {
    const request = new Request(url, { headers: wanted });
    const send = (signed: Request) => fetch(signed, { signal: AbortSignal.any([signal, limit.signal]) });
    const response = await sendSigned(request, tokens, send);
    if (!response.ok) throw await errorOfResponse(response);
    const type = response.headers.get('content-type') ?? '';
    if (response.body === null || !type.startsWith('text/event-stream')) throw notAStream(response.status);
    return response.body;
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error;
    throw networkError();
  } finally {
    clearTimeout(timer);
  }
}

function notAStream(status: number): ApiError {
  return new ApiError({ status, code: 'UNKNOWN', detail: 'What answered is not Chirality. Check the address.' });
}
