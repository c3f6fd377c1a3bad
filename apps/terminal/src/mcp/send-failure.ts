import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** Failures of a request that was never sent, so that it can be sent again whatever it does. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function wasNotSent(error: unknown): boolean {
  return codesOf(error).some((code) => NOT_SENT.has(code));
}

/** The server knows the MCP session no longer: a new one has to be begun. */
export function isLostSession(error: unknown): boolean {
  return error instanceof StreamableHTTPError && error.code === 404;
}

/** A sentence for the client, which says what to do. */
export function failureSentence(error: unknown): string {
  if (!(error instanceof StreamableHTTPError))
    return wasNotSent(error)
      ? 'The Chirality server cannot be reached. Try again when it is there.'
      : 'The connection to the Chirality server broke. Look at what there is, then call again.';
  // The SDK gives the body of the answer behind its own words.
  const body = error.message.slice(Math.max(0, error.message.indexOf('{')));
  try {
    const { code, detail } = JSON.parse(body) as { code?: unknown; detail?: unknown };
    if (typeof detail === 'string') return `${String(code)} (${error.code}): ${detail}`;
  } catch {
    // A gateway's own page, which is no sentence.
  }
  return `The Chirality server answered with status ${error.code}.`;
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const code = (error as { code?: unknown }).code;
  const inner = error.cause instanceof AggregateError ? error.cause.errors : [error.cause];
  return [...(typeof code === 'string' ? [code] : []), ...inner.flatMap(codesOf)];
}
