import type { Request } from 'express';

const CLIENT_ID = /^[\w.:-]{1,100}$/;
/** What programs that do not name themselves are called in events. */
const UNNAMED_CLIENT = 'rest';

/** The window or program that asks, as it names itself. */
export function clientIdOf(request: Request): string {
  const named = request.headers['x-client-id'];
  return typeof named === 'string' && CLIENT_ID.test(named) ? named : UNNAMED_CLIENT;
}
