import { z } from 'zod';

const flag = z.enum(['', '0', '1', 'false', 'true']).transform((value) => value === '1' || value === 'true');
const text = z.string().trim();
const optional = text.transform((value) => (value === '' ? null : value));
const optionalUrl = (...protocols: string[]) =>
  optional.refine(
    (value) => value === null || hasProtocol(value, protocols),
    `must be a URL that starts with ${protocols.join(' or ')}`,
  );
const wholeNumber = (least: number, most: number) =>
  text.regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(least).max(most));

function hasProtocol(value: string, protocols: string[]): boolean {
  return URL.canParse(value) && protocols.some((protocol) => value.startsWith(`${protocol}`));
}

function emptyMeans<T extends z.ZodType>(fallback: string, schema: T) {
  return z.preprocess((value) => (typeof value !== 'string' || value.trim() === '' ? fallback : value), schema);
}

/**
 * The variables that the api and the worker read, and nothing else does. `.env.example` has one line for each of
 * `PUBLIC_VARIABLES`; the others are set by the program that starts them.
 */
export const environmentSchema = z.object({
  PORT: emptyMeans('3000', wholeNumber(0, 65535)),
  HOST: emptyMeans('127.0.0.1', text),
  CHIRALITY_PUBLIC_URL: emptyMeans('', optionalUrl('http://', 'https://')),
  CHIRALITY_TRUST_PROXY: emptyMeans('', text),
  CHIRALITY_SOCKET: emptyMeans('', optional),
  DATABASE_URL: emptyMeans('', text),
  REDIS_URL: emptyMeans('', text),
  CHIRALITY_DATA_DIR: emptyMeans('.chirality', text),
  CHIRALITY_BLOB_URL: emptyMeans('file:blobs', text.regex(/^file:/, 'must start with file:')),
  CHIRALITY_SECRET_KEY: emptyMeans('', text),
  CHIRALITY_PREVIOUS_SECRET_KEYS: emptyMeans('', text),
  CHIRALITY_SECRET_KEY_LOST: emptyMeans('', flag),
  CHIRALITY_OWNER_EMAIL: emptyMeans(
    'owner@chirality.local',
    text.regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
  ),
  CHIRALITY_OWNER_PASSWORD: emptyMeans(
    '',
    z.string().transform((value) => (value === '' ? null : value)),
  ),
  ANTHROPIC_API_KEY: emptyMeans('', optional),
  ANTHROPIC_BASE_URL: emptyMeans('', optionalUrl('http://', 'https://')),
  CHIRALITY_CLAUDE_PATH: emptyMeans('', optional),
  CHIRALITY_SANDBOX: emptyMeans('bubblewrap', z.enum(['bubblewrap', 'none'])),
  CHIRALITY_WORKER_SLOTS: emptyMeans('0', wholeNumber(0, 256)),
  CHIRALITY_PARKED_MS: emptyMeans('300000', wholeNumber(0, 24 * 3600_000)),
  CHIRALITY_ALLOWED_ROOTS: emptyMeans('', text),
  CHIRALITY_PRIVATE_HOSTS: emptyMeans('', text),
  CHIRALITY_CA_FILE: emptyMeans('', optional),
  CHIRALITY_MAX_REPOSITORY_BYTES: emptyMeans(String(2 * 1024 ** 3), wholeNumber(1024 ** 2, 1024 ** 4)),
  CHIRALITY_HARNESS_ROUTES: emptyMeans('on', z.enum(['on', 'off'])),
  CHIRALITY_LOG_LEVEL: emptyMeans('info', z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])),
  SMTP_URL: emptyMeans('', optionalUrl('smtp://', 'smtps://')),
  NODE_ENV: emptyMeans('development', text),
  CHIRALITY_RUN_DIR: emptyMeans('', optional),
  CHIRALITY_WEB_DIR: emptyMeans('', optional),
  CHIRALITY_FIRST_LOGIN_FILE: emptyMeans('', optional),
  CHIRALITY_SUPERVISED: emptyMeans('', flag),
  CHIRALITY_TEST_LIMITS: emptyMeans('', text),
  CHIRALITY_TEST_HOSTS: emptyMeans('', text),
  CHIRALITY_TEST_AUTHORITIES: emptyMeans('', text),
});

const INTERNAL_VARIABLES: ReadonlySet<string> = new Set([
  'NODE_ENV',
  'CHIRALITY_RUN_DIR',
  'CHIRALITY_WEB_DIR',
  'CHIRALITY_FIRST_LOGIN_FILE',
  'CHIRALITY_SUPERVISED',
  'CHIRALITY_TEST_LIMITS',
  'CHIRALITY_TEST_HOSTS',
  'CHIRALITY_TEST_AUTHORITIES',
]);

/** The variables a person sets, in the order in which they are documented. */
export const PUBLIC_VARIABLES = Object.keys(environmentSchema.shape).filter((name) => !INTERNAL_VARIABLES.has(name));

export type Environment = z.infer<typeof environmentSchema>;
export type LogLevel = Environment['CHIRALITY_LOG_LEVEL'];
