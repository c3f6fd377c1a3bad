import { ApiError, errorOfResponse, networkError } from './api-error';
import { noteServerDate } from './server-clock';

const TIMEOUT_MS = 30_000;

/** Who signs requests: gives the current access token, and a new one when that was refused. */
export interface TokenSource {
  token(): Promise<string>;
  renew(): Promise<string>;
}

type RequestOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** How long to wait for the answer. */
  timeoutMs?: number;
};

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

async function send(path: string, options: RequestOptions, token: string | null): Promise<Response> {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers };
  if (token !== null) headers.authorization = `Bearer ${token}`;
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  try {
    const response = await fetch(path, {
      method: options.method ?? 'GET',
      headers,
      body: options.body === undefined ? null : JSON.stringify(options.body),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: options.signal ? AbortSignal.any([options.signal, deadline]) : deadline,
    });
    noteServerDate(response.headers.get('date'));
    return response;
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw networkError();
  }
}

/** Sends without a token, for what comes before signing in. Throws `ApiError`. */
export async function requestUnsigned<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options, null);
  if (!response.ok) throw await errorOfResponse(response);
  return readAnswer<T>(response);
}

/** Sends with the access token; a token that was just refused is renewed once. Throws `ApiError`. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return readAnswer<T>(await requestResponse(path, options));
}

async function requestResponse(path: string, options: RequestOptions = {}): Promise<Response> {
  if (tokens === null) throw new ApiError({ status: 401, code: 'UNAUTHENTICATED', detail: 'Sign in first.' });
  const first = await send(path, options, await tokens.token());
  const response = first.status === 401 ? await send(path, options, await tokens.renew()) : first;
  if (!response.ok) throw await errorOfResponse(response);
  return response;
}

/** The access token as it is now, for what is not sent by `request`. */
export async function accessToken(): Promise<string> {
  if (tokens === null) throw new ApiError({ status: 401, code: 'UNAUTHENTICATED', detail: 'Sign in first.' });
  return tokens.token();
}

async function readAnswer<T>(response: Response): Promise<T> {
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
