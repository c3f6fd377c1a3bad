import createClient from 'openapi-fetch';
import { signedFetch, unsignedFetch } from './api-client';
import type { paths } from './generated/openapi';

const OPTIONS = {
  // Only a browser's page has an origin.
  baseUrl: globalThis.location?.origin ?? '',
  headers: { accept: 'application/json' },
  credentials: 'same-origin',
  cache: 'no-store',
} as const;

/** The routes of docs/openapi.json, signed with the access token: `answerOf(api.GET('/v1/me'))`. */
export const api = createClient<paths, 'application/json'>({ ...OPTIONS, fetch: signedFetch() });

/** The same without a token, for what comes before signing in. */
export const unsignedApi = createClient<paths, 'application/json'>({ ...OPTIONS, fetch: unsignedFetch() });

/** The same, for a route whose refusals are answers, too: `error` is what came with a status that is no success. */
export const uncheckedApi = createClient<paths, 'application/json'>(OPTIONS);

/** For a request whose answer may take longer than others: `api.GET(path, { params, ...within(60_000) })`. */
export function within(timeoutMs: number) {
  return { fetch: signedFetch(timeoutMs) };
}

type Result<Data> = { data: Data; error?: undefined } | { data?: undefined; error: NonNullable<unknown> };

/** What a route answers when it succeeds. Throws `ApiError` for every other answer, and where none came. */
export async function answerOf<Data>(call: Promise<Result<Data>>): Promise<Data> {
  const result = await call;
  // `fetch` throws for every answer that is no success.
  if (result.error !== undefined) throw new TypeError('A request failed without an ApiError.');
  return result.data;
}

/** The rows of a list that is read without its next page. */
export async function rowsOf<Row>(call: Promise<Result<{ data: Row[] }>>): Promise<Row[]> {
  return (await answerOf(call)).data;
}
