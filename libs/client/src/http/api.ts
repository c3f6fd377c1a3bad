import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { paths } from '../routes';

/** Every route of docs/openapi.json, typed: `answerOf(api.GET('/v1/me'))`. */
export type Api = Client<paths, 'application/json'>;

/** The routes behind a `fetch`, which says who signs and how failures are thrown: `signedFetch`, `unsignedFetch`. */
export function createApi(options: ClientOptions): Api {
  return createClient<paths, 'application/json'>(options);
}

type Result = { data?: unknown; error?: unknown };
type AnswerIn<R> = R extends { data: infer Data } ? Data : never;

/** What a route answers when it succeeds. Throws `ApiError` for every other answer, and where none came. */
export async function answerOf<R extends Result>(call: Promise<R>): Promise<AnswerIn<R>> {
  const result = await call;
  // `fetch` throws for every answer that is no success.
  if (result.error !== undefined) throw new TypeError('A request failed without an ApiError.');
  return result.data as AnswerIn<R>;
}

/** The rows of a list that is read without its next page. */
export async function rowsOf<R extends Result>(
  call: Promise<R>,
): Promise<AnswerIn<R> extends { data: (infer Row)[] } ? Row[] : never> {
  const { data } = (await answerOf(call)) as { data: never };
  return data;
}
