import type { ServerResponse } from 'node:http';

/** Refusals in the shape of the model's service, so that the program shows their text. */
const REFUSALS = {
  token: {
    status: 401,
    type: 'authentication_error',
    retry: false,
    message: 'This token is not known to the model gateway.',
  },
  unbound: {
    status: 401,
    type: 'authentication_error',
    retry: false,
    message: 'No turn is running, so the model gateway answers nothing.',
  },
  ended: { status: 401, type: 'authentication_error', retry: false, message: 'The turn ended.' },
  path: {
    status: 404,
    type: 'not_found_error',
    retry: false,
    message: 'The model gateway serves POST /v1/messages and POST /v1/messages/count_tokens only.',
  },
  request: { status: 400, type: 'invalid_request_error', retry: false, message: '' },
  size: {
    status: 413,
    type: 'request_too_large',
    retry: false,
    message: 'The request is larger than the model gateway accepts.',
  },
  busy: {
    status: 429,
    type: 'rate_limit_error',
    retry: true,
    message: 'Too many requests at once through the model gateway.',
  },
  payment: { status: 403, type: 'permission_error', retry: false, message: '' },
  unreachable: { status: 502, type: 'api_error', retry: true, message: 'The model’s service cannot be reached' },
} as const;

type Refusal = keyof typeof REFUSALS;

/**
 * Answers a request with an error; does nothing when an answer was begun. What is left of the request is read and
 * dropped.
 */
export function refuse(response: ServerResponse, refusal: Refusal, detail?: string): void {
  if (response.headersSent || response.destroyed) return;
  const { status, type, retry, message } = REFUSALS[refusal];
  const text = message === '' ? (detail ?? type) : detail ? `${message} (${detail}).` : message;
  const body = JSON.stringify({ type: 'error', error: { type, message: text } });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    // The one thing that keeps the program from minutes of retries; checked with the real one.
    'x-should-retry': String(retry),
  });
  response.end(body);
}
