/**
 * `unavailable`: no server answered, or the connection was lost; whether the statement took effect is unknown.
 * `contended`: it took no effect and may be tried again as it is. `rejected`: it will never succeed as it is.
 */
type DatabaseErrorClass = 'unavailable' | 'contended' | 'rejected';

const UNAVAILABLE_STATES = /^(08...|57P0[1-5]|53300|25006|25P03)$/;
const CONTENDED_STATES = /^(40001|40P01|55P03|57014|53[12]00)$/;
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EACCES',
]);
const NETWORK_MESSAGES =
  /connection terminated|connection error|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|not queryable|client was closed|server closed the connection/i;
/** Prisma: cannot reach the server, server closed the connection, pool timed out; transaction conflict. */
const PRISMA_UNAVAILABLE = new Set(['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2037']);

/** Says what may be done after an error of pg or Prisma. Errors of another origin are `rejected`. */
export function classifyDatabaseError(error: unknown): DatabaseErrorClass {
  for (let current = error, depth = 0; current && depth < 4; current = causeOf(current), depth++) {
    const { code, originalCode, kind, message } = current as Record<
      'code' | 'originalCode' | 'kind' | 'message',
      unknown
    >;
    const state = String(originalCode ?? code ?? '');
    if (UNAVAILABLE_STATES.test(state) || NETWORK_CODES.has(state) || PRISMA_UNAVAILABLE.has(state))
      return 'unavailable';
    if (CONTENDED_STATES.test(state) || state === 'P2034') return 'contended';
    if (kind === 'DatabaseNotReachable' || kind === 'ConnectionClosed' || kind === 'SocketTimeout')
      return 'unavailable';
    if (typeof message === 'string' && NETWORK_MESSAGES.test(message)) return 'unavailable';
  }
  return 'rejected';
}

/** Prisma's client keeps what the driver said in `meta`, under codes that say less (P2039). */
function causeOf(error: unknown): unknown {
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  return cause ?? meta?.driverAdapterError;
}

/** True when the caller should retry later: neither the request nor the service is at fault. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return classifyDatabaseError(error) !== 'rejected';
}

/** True when the statement broke that unique or primary key. */
export function violatesUnique(error: unknown, constraint?: string): boolean {
  const { code, constraint: broken } = error as { code?: unknown; constraint?: unknown };
  if (code === 'P2002') return true;
  return code === '23505' && (constraint === undefined || broken === constraint);
}
