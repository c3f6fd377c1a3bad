import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/**
 * What the program may say to the model's service; everything else, cookies and other credentials above all, stays
 * here.
 */
const REQUEST_HEADER =
  /^(accept|content-type|user-agent|x-app|anthropic-(version|beta|dangerous-direct-browser-access)|x-stainless-[a-z-]+|x-claude-code-[a-z-]+)$/;

/** Headers that belong to one connection or to the account behind the key. */
const RESPONSE_HEADER_KEPT_BACK =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|set-cookie2?|content-length|content-encoding|anthropic-organization-id|x-api-key|authorization)$/;

/** The headers to send upstream. Answers are asked for unencoded, so that their usage can be read. */
export function upstreamHeaders(
  from: IncomingHttpHeaders,
  host: string,
  apiKey: string,
  bodyBytes: number,
): OutgoingHttpHeaders {
  const named = connectionOptions(from);
  const kept = Object.entries(from).filter(([name]) => REQUEST_HEADER.test(name) && !named.has(name));
  return {
    ...Object.fromEntries(kept),
    host,
    ...(apiKey === '' ? {} : { 'x-api-key': apiKey }),
    'accept-encoding': 'identity',
    'content-length': bodyBytes,
  };
}

/**
 * The headers to answer with: none of one connection only, none in which the key appears, none of a form that is undone
 * here.
 */
export function clientHeaders(from: IncomingHttpHeaders, apiKey: string): OutgoingHttpHeaders {
  const named = connectionOptions(from);
  return Object.fromEntries(
    Object.entries(from).filter(
      ([name, value]) =>
        !RESPONSE_HEADER_KEPT_BACK.test(name) && !named.has(name) && (apiKey === '' || !String(value).includes(apiKey)),
    ),
  );
}

function connectionOptions(headers: IncomingHttpHeaders): Set<string> {
  return new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
}
