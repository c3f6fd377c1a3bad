import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { HostCallError, wordsOf } from './host-call-error';
import { requestOfHost, type HostAnswer, type HostNetwork } from './host-request';

const HTTP_OK = 200;
const FIRST_REFUSAL = 400;
const NO_CONTENT: ReadonlySet<number> = new Set([204, 205, 304]);
const TOO_MANY = 429;
const FORBIDDEN = 403;
/** Where a host says that it takes no more and not until when. */
const DEFAULT_PAUSE_MS = 60_000;

/** How vendors say what is wrong. */
const refusalSchema = z.looseObject({
  message: z.unknown().optional(),
  error: z.unknown().optional(),
  errors: z.unknown().optional(),
});

/**
 * `fetch` as the hosts' clients take it, over `requestOfHost`. An answer that refuses is thrown as HostCallError, with
 * the host's words and without the token, so that no client reads or repeats it. `keepTail`: for logs, of which only
 * the end is kept.
 */
export function hostFetch(network: HostNetwork, token: string | null, { keepTail = false } = {}): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
    const headers = Object.fromEntries(new Headers(init.headers));
    const answer = await requestOfHost(
      network,
      {
        url,
        method: init.method ?? 'GET',
        headers: { ...headers, 'user-agent': 'Chirality', 'accept-encoding': 'identity' },
        body: typeof init.body === 'string' ? init.body : null,
      },
      { keepTail, signal: init.signal ?? undefined },
    );
    if (answer.status < HTTP_OK || answer.status >= FIRST_REFUSAL) throw refusalOf(url.host, answer, token);
    return new Response(NO_CONTENT.has(answer.status) ? null : answer.body, {
      status: answer.status,
      headers: headersOf(answer.headers),
    });
  };
}

function refusalOf(host: string, { status, headers, body }: HostAnswer, token: string | null): HostCallError {
  return new HostCallError(host, {
    kind: 'status',
    status,
    words: wordsOf(sentencesOf(body), token),
    retryAt: retryAtOf(status, headers),
  });
}

function sentencesOf(body: string): string {
  try {
    const { message, error, errors } = refusalSchema.parse(JSON.parse(body));
    return [message, error, errors].flatMap((part) => [textOf(part)].filter((text) => text !== '')).join(' ');
  } catch {
    // A page of HTML says nothing that a person could use.
    return '';
  }
}

function textOf(part: unknown): string {
  if (typeof part === 'string') return part;
  if (Array.isArray(part)) return part.map(textOf).join(', ');
  if (typeof part !== 'object' || part === null) return '';
  const { message } = part as { message?: unknown };
  return typeof message === 'string' ? message : Object.values(part).map(textOf).join(', ');
}

/** Until when the host takes no more requests; null when that is not why it refused. */
function retryAtOf(status: number, headers: IncomingHttpHeaders): Date | null {
  const first = (name: string) => [headers[name] ?? ''].flat()[0] ?? '';
  const isLimited =
    status === TOO_MANY ||
    (status === FORBIDDEN && (first('x-ratelimit-remaining') === '0' || first('retry-after') !== ''));
  if (!isLimited) return null;
  const now = Date.now();
  const after = Number.parseInt(first('retry-after'), 10);
  const reset = Number.parseInt(first('x-ratelimit-reset') || first('ratelimit-reset'), 10);
  const at = Number.isFinite(after) ? now + after * 1_000 : Number.isFinite(reset) ? reset * 1_000 : 0;
  const latest = now + 24 * 3_600_000;
  return new Date(at > now ? Math.min(at, latest) : now + DEFAULT_PAUSE_MS);
}

function headersOf(headers: IncomingHttpHeaders): Headers {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const part of [value ?? []].flat()) kept.append(name, part);
  }
  return kept;
}
