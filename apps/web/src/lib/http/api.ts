import { createApi, unsignedFetch } from '@chirality/client';
import { BASE_PATH } from '../page/base-path';
import { signedFetch } from './api-client';

export { answerOf, rowsOf } from '@chirality/client';

const OPTIONS = {
  // Only a browser's page has an origin.
  baseUrl: `${globalThis.location?.origin ?? ''}${BASE_PATH}`,
  headers: { accept: 'application/json' },
  credentials: 'same-origin',
  cache: 'no-store',
} as const;

/** The routes of docs/openapi.json, signed with the access token: `answerOf(api.GET('/v1/me'))`. */
export const api = createApi({ ...OPTIONS, fetch: signedFetch() });

/** The same without a token, for what comes before signing in. */
export const unsignedApi = createApi({ ...OPTIONS, fetch: unsignedFetch() });

/** The same, for a route whose refusals are answers, too: `error` is what came with a status that is no success. */
export const uncheckedApi = createApi(OPTIONS);

/** For a request whose answer may take longer than others: `api.GET(path, { params, ...within(60_000) })`. */
export function within(timeoutMs: number) {
  return { fetch: signedFetch(timeoutMs) };
}
