import { ApiError, signedFetch as signedBy, type TokenSource as AnyTokenSource } from '@chirality/client';

/** Who signs this tab's requests; a session of a person can always ask for the next token. */
export type TokenSource = Required<AnyTokenSource>;

let tokens: TokenSource | null = null;

export function signRequestsWith(source: TokenSource): void {
  tokens = source;
}

function signedIn(): TokenSource {
  if (tokens === null) throw new ApiError({ status: 401, code: 'UNAUTHENTICATED', detail: 'Sign in first.' });
  return tokens;
}

/** `fetch` with the access token of this tab. Throws `ApiError` unless it succeeds. */
export function signedFetch(timeoutMs?: number) {
  return async (request: Request): Promise<Response> => signedBy(signedIn(), timeoutMs)(request);
}

/** The access token as it is now, for what `fetch` cannot send. */
export async function accessToken(): Promise<string> {
  return signedIn().token();
}
