import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PUBLIC_VARIABLES } from './environment';
import { ConfigError, loadConfig } from './config';

describe('loadConfig', () => {
  let dataDir: string;
  const services = { DATABASE_URL: 'postgresql://u@localhost/c', REDIS_URL: 'redis://localhost' };
  const load = (env: NodeJS.ProcessEnv = {}) => loadConfig({ ...services, CHIRALITY_DATA_DIR: dataDir, ...env });

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'chi-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('has a default for everything but the two services', () => {
    const { secretKey, ...config } = load();
    expect(secretKey).toHaveLength(32);
    expect(config).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:3000',
      trustProxy: false,
      socketPath: null,
      databaseUrl: services.DATABASE_URL,
      redisUrl: services.REDIS_URL,
      dataDir,
      blobUrl: `file:${dataDir}/blobs`,
      secretKeyLost: false,
      previousSecretKeys: [],
      ownerEmail: 'owner@chirality.local',
      ownerPassword: null,
      anthropicApiKey: null,
      anthropicBaseUrl: null,
      claudePath: null,
      sandbox: 'bubblewrap',
      workerSlots: null,
      parkedMs: 300_000,
      allowedRoots: [],
      privateHosts: { names: [], ranges: [] },
      caFile: null,
      maxRepositoryBytes: 2 * 1024 ** 3,
      harnessRoutes: true,
      logLevel: 'info',
      smtpUrl: null,
      production: false,
      runDir: `${dataDir}/run`,
      webDir: null,
      firstLoginFile: null,
      supervised: false,
      searchPath: '',
      testLimits: {},
      testHosts: null,
      testAuthorities: null,
    });
  });

  it('treats an empty variable like a missing one', () => {
    const empty = Object.fromEntries(PUBLIC_VARIABLES.map((name) => [name, '']));
    expect(load({ ...empty, ...services, CHIRALITY_DATA_DIR: dataDir })).toEqual(load());
  });

  it('makes the key once and keeps it readable for its owner alone', () => {
    expect(load().secretKey).toEqual(load().secretKey);
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  });

  const key = createHash('sha256').update('a key of this test').digest();
  it.each(['hex', 'base64', 'base64url'] as const)('reads a key written as %s', (encoding) => {
    expect(load({ CHIRALITY_SECRET_KEY: key.toString(encoding) }).secretKey).toEqual(key);
  });

  it.each([
    ['zeros', '00'.repeat(32)],
    ['one byte repeated, as base64', Buffer.alloc(32, 0xab).toString('base64')],
    ['zeros but for the last byte', `${'00'.repeat(31)}01`],
    ['a few bytes repeated', 'deadbeef'.repeat(8)],
    ['digits written as hex', '0123456789'.repeat(7).slice(0, 64)],
    ['bytes that count up', Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('hex')],
    ['bytes that count down', Buffer.from(Array.from({ length: 32 }, (_, n) => 255 - 3 * n)).toString('base64')],
    ['words, as hex', Buffer.from('correct horse battery staple now').toString('hex')],
    ['words, as base64', 'correct-horse-battery-staple-correct-horsey'],
  ])('refuses a key of %s, without repeating it', (_, value) => {
    const failure = failureOf(() => load({ CHIRALITY_SECRET_KEY: value }));
    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure.message).toMatch(/^CHIRALITY_SECRET_KEY is not random \(.*openssl rand -hex 32/);
    expect(failure.message).not.toContain(value);
  });

  it('takes every random key', () => {
    for (let n = 0; n < 100; n++) {
      const random = randomBytes(32);
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(load({ CHIRALITY_SECRET_KEY: random.toString(encoding) }).secretKey).toEqual(random);
    }
  });

  it('still opens with an earlier key that would be refused today', () => {
    expect(load({ CHIRALITY_PREVIOUS_SECRET_KEYS: '00'.repeat(32) }).previousSecretKeys).toEqual([Buffer.alloc(32)]);
  });

  it.each(['short', 'zz'.repeat(32), 'ab'.repeat(31), 'ab'.repeat(33), 'correct horse battery staple '.repeat(2)])(
    'refuses the key %s without repeating it',
    (value) => {
      const failure = failureOf(() => load({ CHIRALITY_SECRET_KEY: value }));
      expect(failure.message).toMatch(/CHIRALITY_SECRET_KEY must be 32 bytes/);
      expect(failure.message).not.toContain(value);
    },
  );

  it.each(['@', '/', '#', '?', '%', '@/', ' '])(
    'refuses a password with an unencoded %s, and shows no piece of it',
    (character) => {
      const password = `hunt${character}er2`;
      for (const [variable, scheme] of [
        ['DATABASE_URL', 'postgresql'],
        ['REDIS_URL', 'redis'],
      ] as const) {
        const failure = failureOf(() =>
          load({ [variable]: `${scheme}://some.user:${password}@db.example.com:5432/chirality` }),
        );
        expect(failure).toBeInstanceOf(ConfigError);
        expect(failure.message).toMatch(new RegExp(`^${variable}: its user name or password .* percent-encoded`));
        expect(failure.message).not.toMatch(/hunt|er2|some|example/);
      }
    },
  );

  it.each([
    'postgresql://some.user:hunt%40er%2F2:3@db.example.com/chirality?sslmode=require',
    'postgresql://u:p@[::1]:5432/c',
    'postgresql://u@localhost/c?host=%2Frun%2Fpg',
    'postgres://db/c',
  ])('takes the address %s as it is', (url) => {
    expect(load({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it('keeps earlier keys for opening', () => {
    const keys = ['ab'.repeat(32), 'cd'.repeat(32)];
    expect(load({ CHIRALITY_PREVIOUS_SECRET_KEYS: keys.join(', ') }).previousSecretKeys).toEqual(
      keys.map((key) => Buffer.from(key, 'hex')),
    );
  });

  it.each<[string, NodeJS.ProcessEnv, RegExp]>([
    ['a port that is none', { PORT: '70000' }, /^PORT/],
    ['a port that is no number', { PORT: '3000x' }, /^PORT: must be a whole number/],
    ['a missing database', { DATABASE_URL: '' }, /^DATABASE_URL is empty.*npm start/],
    ['a database of another kind', { DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must look like/],
    ['a missing Redis', { REDIS_URL: ' ' }, /^REDIS_URL is empty/],
    ['an unknown sandbox', { CHIRALITY_SANDBOX: 'docker' }, /^CHIRALITY_SANDBOX/],
    ['no sandbox in production', { CHIRALITY_SANDBOX: 'none', NODE_ENV: 'production' }, /refused in production/],
    ['an open address without a proxy', { HOST: '0.0.0.0' }, /^HOST 0\.0\.0\.0 can be reached/],
    ['a proxy at any address', { CHIRALITY_TRUST_PROXY: 'true' }, /not true/],
    ['a relative allowed root', { CHIRALITY_ALLOWED_ROOTS: 'src' }, /must be an absolute path/],
    ['the whole disk as an allowed root', { CHIRALITY_ALLOWED_ROOTS: '/srv:/' }, /must be an absolute path/],
    [
      'a socket directory that is too long',
      { CHIRALITY_RUN_DIR: `/tmp/${'x'.repeat(70)}` },
      /too long for unix sockets/,
    ],
    [
      'a private host that is none',
      { CHIRALITY_PRIVATE_HOSTS: 'git.corp.example, 10.0.0.0/40' },
      /^CHIRALITY_PRIVATE_HOSTS: 10\.0\.0\.0\/40 is neither/,
    ],
    [
      'a relative file of authorities',
      { CHIRALITY_CA_FILE: 'ca.pem' },
      /^CHIRALITY_CA_FILE: ca\.pem must be an absolute/,
    ],
    ['a missing file of authorities', { CHIRALITY_CA_FILE: '/nowhere/ca.pem' }, /^CHIRALITY_CA_FILE: .*ENOENT/],
    ['authorities that are none', { CHIRALITY_CA_FILE: __filename }, /^CHIRALITY_CA_FILE: .* holds no certificate/],
    [
      'a repository of less than a megabyte',
      { CHIRALITY_MAX_REPOSITORY_BYTES: '10' },
      /^CHIRALITY_MAX_REPOSITORY_BYTES/,
    ],
    ['a blob store of another kind', { CHIRALITY_BLOB_URL: 's3://bucket' }, /^CHIRALITY_BLOB_URL/],
    [
      'a data directory below a file',
      { CHIRALITY_DATA_DIR: join(__filename, 'x') },
      /^CHIRALITY_DATA_DIR: .* cannot be written/,
    ],
    ['a mail server that is a web page', { SMTP_URL: 'http://mail' }, /^SMTP_URL/],
    [
      'shortened limits outside of tests',
      { CHIRALITY_TEST_LIMITS: '{"startMs":1}' },
      /^CHIRALITY_TEST_LIMITS is for tests/,
    ],
    [
      'open hosts outside of tests',
      { CHIRALITY_TEST_HOSTS: '{"a.test":"127.0.0.1"}' },
      /^CHIRALITY_TEST_HOSTS is for tests/,
    ],
    [
      'other authorities outside of tests',
      { CHIRALITY_TEST_AUTHORITIES: '/tmp/ca.pem' },
      /^CHIRALITY_TEST_AUTHORITIES is for tests/,
    ],
    [
      'hosts that lead to no address',
      { CHIRALITY_TEST_HOSTS: '{"a.test":"b.test"}', NODE_ENV: 'test' },
      /^CHIRALITY_TEST_HOSTS must be/,
    ],
    [
      'limits that are none',
      { CHIRALITY_TEST_LIMITS: '{"startMs":-1}', NODE_ENV: 'test' },
      /^CHIRALITY_TEST_LIMITS must be/,
    ],
  ])('refuses %s in one sentence', (_, env, message) => {
    const failure = failureOf(() => load(env));
    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain('\n');
  });

  it('takes an open address behind a declared proxy, and a public address without its last slash', () => {
    const config = load({
      HOST: '0.0.0.0',
      CHIRALITY_TRUST_PROXY: 'loopback, 10.0.0.0/8',
      CHIRALITY_PUBLIC_URL: 'https://chirality.example/',
    });
    expect([config.trustProxy, config.publicUrl]).toEqual([['loopback', '10.0.0.0/8'], 'https://chirality.example']);
    expect(load({ HOST: '0.0.0.0', CHIRALITY_TRUST_PROXY: '1' }).publicUrl).toBe('http://localhost:3000');
  });

  it('is what .env.example documents, one line for each variable, in order', () => {
    const lines = readFileSync(join(__dirname, '../../../../.env.example'), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    const documented = lines
      .filter((line) => !line.startsWith('# '))
      .map((line) => /^#?([A-Z_]+)=\S* +# \S.*$/.exec(line)?.[1]);
    expect(documented).toEqual(PUBLIC_VARIABLES);
  });
});

function failureOf(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was refused');
}
