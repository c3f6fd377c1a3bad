import { accessSync, constants, mkdirSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { ConfigError } from './config-error';
import { checkDatabaseUrl, checkRedisUrl } from './service-url';
import type { PrivateHosts } from '@chirality/domain';
import { readableAuthorities, readPrivateHosts } from './git-hosts';
import { environmentSchema, type Environment, type LogLevel } from './environment';
import { defaultPublicUrl, parseTrustProxy, refuseOpenAddress, type TrustProxy } from './network';
import { keptSecretKey, parseSecretKey, parseStrongSecretKey } from './secret-key';
import { parseTestAuthorities, parseTestHosts } from './test-hosts';
import { parseTestLimits } from './test-limits';

export { ConfigError } from './config-error';
export type { LogLevel } from './environment';

/** The longest address of a unix socket. */
const SOCKET_MAX_BYTES = 107;
/** Addresses of unix sockets end at 108 bytes; this leaves room for the names inside the directory. */
const RUN_DIR_MAX_BYTES = 64;

export type Config = {
  port: number;
  host: string;
  /** Without a slash at the end. */
  publicUrl: string;
  trustProxy: TrustProxy;
  /** A Unix socket on which the api listens as well; null: on none. */
  socketPath: string | null;
  databaseUrl: string;
  /** redis://… or unix:/path/to/redis.sock */
  redisUrl: string;
  dataDir: string;
  /** file:/absolute/path */
  blobUrl: string;
  secretKey: Buffer;
  /** Keys that still open what they sealed; nothing new is sealed with them. */
  /** The key that the database was set up with is lost: the present one takes its place. */
  secretKeyLost: boolean;
  previousSecretKeys: Buffer[];
  ownerEmail: string;
  /** Null: a random one is made at the first start. */
  ownerPassword: string | null;
  /** With neither key nor base URL the demo model answers. */
  anthropicApiKey: string | null;
  anthropicBaseUrl: string | null;
  claudePath: string | null;
  sandbox: 'bubblewrap' | 'none';
  /** Null: as many as memory and cores allow. */
  workerSlots: number | null;
  /** How long a process may wait for its session's next turn; 0 turns parking off. */
  parkedMs: number;
  allowedRoots: string[];
  /** What may be at private addresses. */
  privateHosts: PrivateHosts;
  /** A file of authorities whose certificates count beside the system's. */
  caFile: string | null;
  maxRepositoryBytes: number;
  /** The routes of the earlier harness, below /api/harness. */
  harnessRoutes: boolean;
  logLevel: LogLevel;
  smtpUrl: string | null;
  production: boolean;
  /** A short private directory for unix sockets. */
  runDir: string;
  /** The built dashboard, or null where the api serves none. */
  webDir: string | null;
  /** Where the api writes the first owner's e-mail and random password, once, mode 0600. */
  firstLoginFile: string | null;
  /** Started by `npm start`, which restarts this process and ends it. */
  supervised: boolean;
  /** PATH, where the sandbox's programs are looked for. */
  searchPath: string;
  /** Time limits of tests, in milliseconds by name; empty outside of them. */
  testLimits: Readonly<Record<string, number>>;
  /** The only names that sandboxes can reach in a test, and where they lead; null outside of tests. */
  testHosts: Readonly<Record<string, string>> | null;
  /** A file of authorities that git trusts in a test; null outside of tests. */
  testAuthorities: string | null;
};

/**
 * Reads and checks the whole configuration; throws ConfigError with one sentence per fault. Makes the data and socket
 * directories (mode 0700) and, where none is given, the secret key, which is the same for every process of a data
 * directory.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const values = parse(env);
  const dataDir = resolve(values.CHIRALITY_DATA_DIR);
  const trustProxy = parseTrustProxy(values.CHIRALITY_TRUST_PROXY);
  const production = values.NODE_ENV === 'production';
  refuseOpenAddress(values.HOST, trustProxy);
  if (production && values.CHIRALITY_SANDBOX === 'none') {
    throw new ConfigError(
      'CHIRALITY_SANDBOX=none is refused in production: it lets every turn act as the service itself',
    );
  }
  makePrivateDirectory('CHIRALITY_DATA_DIR', dataDir);
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: publicUrlOf(values),
    trustProxy,
    socketPath: socketPath(values.CHIRALITY_SOCKET),
    databaseUrl: checkDatabaseUrl(values.DATABASE_URL),
    redisUrl: checkRedisUrl(values.REDIS_URL),
    dataDir,
    blobUrl: `file:${resolve(dataDir, values.CHIRALITY_BLOB_URL.replace(/^file:(\/\/)?/, ''))}`,
    secretKey:
      values.CHIRALITY_SECRET_KEY === ''
        ? keptSecretKey(dataDir)
        : parseStrongSecretKey('CHIRALITY_SECRET_KEY', values.CHIRALITY_SECRET_KEY),
    secretKeyLost: values.CHIRALITY_SECRET_KEY_LOST,
    previousSecretKeys: list(values.CHIRALITY_PREVIOUS_SECRET_KEYS, ',').map((key) =>
      parseSecretKey('CHIRALITY_PREVIOUS_SECRET_KEYS', key),
    ),
    ownerEmail: values.CHIRALITY_OWNER_EMAIL.toLowerCase(),
    ownerPassword: values.CHIRALITY_OWNER_PASSWORD,
    anthropicApiKey: values.ANTHROPIC_API_KEY,
    anthropicBaseUrl: values.ANTHROPIC_BASE_URL,
    claudePath: values.CHIRALITY_CLAUDE_PATH,
    sandbox: values.CHIRALITY_SANDBOX,
    workerSlots: values.CHIRALITY_WORKER_SLOTS || null,
    parkedMs: values.CHIRALITY_PARKED_MS,
    allowedRoots: list(values.CHIRALITY_ALLOWED_ROOTS, ':').map(absoluteRoot),
    privateHosts: readPrivateHosts(values.CHIRALITY_PRIVATE_HOSTS),
    caFile: readableAuthorities(values.CHIRALITY_CA_FILE),
    maxRepositoryBytes: values.CHIRALITY_MAX_REPOSITORY_BYTES,
    harnessRoutes: values.CHIRALITY_HARNESS_ROUTES === 'on',
    logLevel: values.CHIRALITY_LOG_LEVEL,
    smtpUrl: values.SMTP_URL,
    production,
    runDir: socketDirectory(values.CHIRALITY_RUN_DIR ?? join(dataDir, 'run')),
    webDir: values.CHIRALITY_WEB_DIR,
    firstLoginFile: values.CHIRALITY_FIRST_LOGIN_FILE,
    supervised: values.CHIRALITY_SUPERVISED,
    searchPath: env['PATH'] ?? '',
    testLimits: parseTestLimits(values.CHIRALITY_TEST_LIMITS, values.NODE_ENV === 'test'),
    testHosts: parseTestHosts(values.CHIRALITY_TEST_HOSTS, values.NODE_ENV === 'test'),
    testAuthorities: parseTestAuthorities(values.CHIRALITY_TEST_AUTHORITIES, values.NODE_ENV === 'test'),
  };
}

function parse(env: NodeJS.ProcessEnv): Environment {
  const parsed = environmentSchema.safeParse(env);
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
}

function list(value: string, separator: string): string[] {
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function absoluteRoot(path: string): string {
  if (!isAbsolute(path) || resolve(path) === '/')
    throw new ConfigError(`CHIRALITY_ALLOWED_ROOTS: ${path} must be an absolute path below /`);
  return resolve(path);
}

function publicUrlOf({ CHIRALITY_PUBLIC_URL: given, HOST, PORT }: Environment): string {
  const { origin, pathname, search, hash } = new URL(given ?? defaultPublicUrl(HOST, PORT));
  if (search !== '' || hash !== '')
    throw new ConfigError(
      'CHIRALITY_PUBLIC_URL: leave out what follows ? and #; a path such as /tools/chirality may stay',
    );
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

function socketPath(given: string | null): string | null {
  if (given === null) return null;
  const path = resolve(given);
  if (Buffer.byteLength(path) > SOCKET_MAX_BYTES)
    throw new ConfigError(
      `CHIRALITY_SOCKET: ${path} is too long for a unix socket; name a path of at most ${SOCKET_MAX_BYTES} bytes`,
    );
  return path;
}

function socketDirectory(path: string): string {
  const directory = resolve(path);
  if (Buffer.byteLength(directory) > RUN_DIR_MAX_BYTES) {
    throw new ConfigError(
      `${directory} is too long for unix sockets: set CHIRALITY_RUN_DIR to a path of at most ${RUN_DIR_MAX_BYTES} bytes`,
    );
  }
  makePrivateDirectory('CHIRALITY_RUN_DIR', directory);
  return directory;
}

function makePrivateDirectory(variable: string, path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigError(
      `${variable}: ${path} cannot be written by this user (${(error as NodeJS.ErrnoException).code}); give it to this user or name another directory`,
    );
  }
}
