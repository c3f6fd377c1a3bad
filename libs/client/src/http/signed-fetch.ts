import { ApiError, errorOfResponse, networkError } from './api-error';
import { noteServerDate } from './server-clock';

const TIMEOUT_MS = 30_000;

/** Who signs requests: gives the current access token, and a new one when that was refused. */
export interface TokenSource {
  token(): Promise<string>;
  /** Absent where there is no other token than this one. */
  renew?(): Promise<string>;
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
export function signedFetch(tokens: TokenSource, timeoutMs = TIMEOUT_MS) {
  return async (request: Request): Promise<Response> =>
    successOf(await sendSigned(request, tokens, (signed) => sendInTime(signed, timeoutMs)));
}

/** Sends a request with the access token, and once more with a new one where that was refused. */
export async function sendSigned(
  request: Request,
  tokens: TokenSource,
  send: (signed: Request) => Promise<Response>,
): Promise<Response> {
  const again = request.clone();
  const first = await send(signed(request, await tokens.token()));
  if (first.status !== 401 || tokens.renew === undefined) return first;
  return send(signed(again, await tokens.renew()));
}

function signed(request: Request, token: string): Request {
  request.headers.set('authorization', `Bearer ${token}`);
  return request;
}

/** The answer where it is a success. Throws `ApiError` otherwise. */
async function successOf(response: Response): Promise<Response> {
  if (!response.ok) throw await errorOfResponse(response);
  return response;
}

/** A source of one token that cannot be renewed, such as an access token of a script. */
export function fixedToken(token: string): TokenSource {
  if (token === '') throw new ApiError({ status: 401, code: 'UNAUTHENTICATED', detail: 'Sign in first.' });
  return { token: async () => token };
}
