import { ApiError, errorOfResponse, networkError } from './api-error';
import { noteServerDate } from './server-clock';

const TIMEOUT_MS = 30_000;

/** Who signs requests: gives the current access token, and a new one when that was refused. */
export interface TokenSource {
  token(): Promise<string>;
  renew(): Promise<string>;
}

let tokens: TokenSource | null = null;

export function signRequestsWith(source: TokenSource): void {
  tokens = source;
}

/** Sends one request. Throws `ApiError` when no answer comes in time, and the caller's own reason when it gave up. */
async function sendInTime(request: Request, timeoutMs: number): Promise<Response> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(request, { signal: AbortSignal.any([request.signal, deadline]) });
    noteServerDate(response.headers.get('date'));
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw networkError();
  }
}

/** `fetch` without a token. Throws `ApiError` unless the answer is a success. */
export function unsignedFetch(timeoutMs = TIMEOUT_MS) {
  return async (request: Request): Promise<Response> => successOf(await sendInTime(request, timeoutMs));
}

/** `fetch` with the access token; one that was just refused is renewed once. Throws `ApiError` unless it succeeds. */
export function signedFetch(timeoutMs = TIMEOUT_MS) {
  return async (request: Request): Promise<Response> => {
    if (tokens === null) throw new ApiError({ status: 401, code: 'UNAUTHENTICATED', detail: 'Sign in first.' });
    const again = request.clone();
    const first = await sendInTime(signed(request, await tokens.token()), timeoutMs);
    return successOf(first.status === 401 ? await sendInTime(signed(again, await tokens.renew()), timeoutMs) : first);
  };
}

function signed(request: Request, token: string): Request {
  request.headers.set('authorization', `Bearer ${token}`);
  return request;
}

async function successOf(response: Response): Promise<Response> {
  if (!response.ok) throw await errorOfResponse(response);
  return response;
}

/** The access token as it is now, for what `fetch` cannot send. */
export async function accessToken(): Promise<string> {
  if (tokens === null) throw new ApiError({ status: 401, code: 'UNAUTHENTICATED', detail: 'Sign in first.' });
  return tokens.token();
}
