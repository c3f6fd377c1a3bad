import type { ErrorReply } from '../api/reply';

const KNOWN: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ['invalid_request_error', 'The request is not valid.'],
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'model: unknown-model'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: ['rate_limit_error', 'This request would exceed your rate limit.'],
  500: ['api_error', 'Internal server error'],
  503: ['api_error', 'Service unavailable'],
  529: ['overloaded_error', 'Overloaded'],
};

export function httpError(status: number, options: Readonly<Record<string, string>>): ErrorReply {
  const [type, message] = KNOWN[status] ?? ['api_error', `Error ${status}`];
  const retryAfter = options['retry_after'];
  return {
    kind: 'error',
    status,
    type: options['type'] ?? type,
    message: options['message'] ?? message,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  };
}
