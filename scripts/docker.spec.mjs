import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';

/**
 * @typedef {{ messages: { line: number, message: string }[] }} LintResult
 * @typedef {{ names: string[], args?: object[] }} SystemCalls
 */

const ROOT = join(__dirname, '..');
/** @type {{ DCLinter: new (options: object) => { lintFiles: (paths: string[], recursive: boolean) => LintResult[] } }} */
const { DCLinter } = createRequire(__filename)('dclint');
/** @type {(path: string) => string} */
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true });
const dockerfile = read('Dockerfile');

describe('Dockerfile', () => {
  it('has no fault that a linter finds', () => {
    expect(validate(dockerfile)).toEqual([]);
  });

  it('copies and runs files that exist, and excludes secrets and history from the build', () => {
    const copied = [...dockerfile.matchAll(/^COPY --from=build \/app\/(\S+)/gm)]
      .map(([, path = '']) => path)
      .filter((path) => !/node_modules|dist/.test(path));
    const run = [...dockerfile.matchAll(/"(docker\/[a-z-]+\.mjs)"/g)].map(([, path = '']) => path);
    expect(run.length).toBeGreaterThan(2);
    expect([...copied, ...run].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(read('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['.git', '.env', '.chirality', '**/node_modules']),
    );
  });

  it('ends every image as an ordinary user', () => {
    const images = dockerfile
      .split(/^FROM /m)
      .slice(1)
      .filter((stage) => /^CMD /m.test(stage));
    expect(images.map((stage) => /^USER (\S+)$/m.exec(stage)?.[1])).toEqual(['1000:1000', '1000:1000']);
  });
});

describe('docker-compose.yml', () => {
  const { services } = compose;

  it('has no fault that a linter finds', () => {
    const linter = new DCLinter({
      // Images are named and built, so that replicas and one-shot services share them; services stand in the order in
      // which they start.
      rules: {
        'no-build-and-image': 0,
        'service-keys-order': 0,
        'services-alphabetical-order': 0,
        'top-level-properties-order': 0,
      },
      quiet: false,
      debug: false,
      exclude: [],
    });
    const found = linter
      .lintFiles([join(ROOT, 'docker-compose.yml')], false)
      .flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`));
    expect(found).toEqual([]);
  });

  it('publishes the api alone, on loopback', () => {
    expect(
      Object.entries(services)
        .filter(([, { ports }]) => ports)
        .map(([name, { ports }]) => [name, ports]),
    ).toEqual([['api', ['127.0.0.1:${PORT:-3000}:3000']]]);
    expect([services.postgres.networks, services.redis.networks, compose.networks.inside]).toEqual([
      ['inside'],
      ['inside'],
      { internal: true },
    ]);
  });

  it('takes from the worker what its sandbox does not need', () => {
    const { user, read_only, cap_drop, cap_add, privileged, init, security_opt, volumes, pids_limit, mem_limit } =
      services.worker;
    expect({ user, read_only, cap_drop, cap_add, privileged, init }).toEqual({
      user: '1000:1000',
      read_only: true,
      cap_drop: ['ALL'],
      cap_add: undefined,
      privileged: undefined,
      init: true,
    });
    expect(security_opt).toEqual(
      expect.arrayContaining([
        'no-new-privileges:true',
        'seccomp=./docker/worker-seccomp.json',
        'systempaths=unconfined',
      ]),
    );
    expect([typeof pids_limit, typeof mem_limit]).toEqual(['number', 'string']);
    expect(volumes.filter((/** @type {string} */ volume) => volume.includes('docker.sock'))).toEqual([]);
  });

  it('runs any number of apis and workers, each with a separate data directory', () => {
    for (const name of ['api', 'worker']) {
      const { container_name, hostname, deploy, volumes, environment } = services[name];
      expect({ container_name, hostname, deploy }).toEqual({
        container_name: undefined,
        hostname: undefined,
        deploy: undefined,
      });
      expect(volumes).toEqual(expect.arrayContaining(['/data', 'blobs:/blobs', 'secrets:/secrets:ro']));
      expect(environment).toMatchObject({ POSTGRES_HOST: 'postgres', REDIS_URL: 'redis://redis:6379' });
    }
    // A range of ports in PORT is one for each replica.
    expect(services.api.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:\$\{PORT:-\d+\}:3000$/)]);
  });

  it('keeps the first sign-in where every replica finds it, and nothing else there', () => {
    const [, file = ''] = /CHIRALITY_FIRST_LOGIN_FILE=(\S+)/.exec(dockerfile) ?? [];
    const shared = services.api.volumes.find((/** @type {string} */ volume) => volume.startsWith('first-login:'));
    expect(shared).toBe(`first-login:${dirname(file)}`);
    expect(dockerfile).toMatch(new RegExp(`^RUN install -d -o 1000 .* ${dirname(file)}\\b`, 'm'));
    const directory = mkdtempSync(join(tmpdir(), 'chi-'));
    writeFileSync(join(directory, basename(file)), JSON.stringify({ email: 'owner@example.com', password: 'words' }));
    const run = () =>
      spawnSync(process.execPath, ['docker/first-login.mjs'], {
        cwd: ROOT,
        env: { CHIRALITY_FIRST_LOGIN_FILE: join(directory, basename(file)) },
        encoding: 'utf8',
      }).stdout;
    expect([run(), run()]).toEqual(['owner@example.com\nwords\n', expect.stringContaining('printed before')]);
    rmSync(directory, { recursive: true });
  });

  it('never evicts from the queue', () => {
    expect(services.redis.command.join(' ')).toContain('--maxmemory-policy noeviction');
  });

  it('sets only variables that exist, and has no secret in it', () => {
    const documented = [...read('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
    const ours = new Set([...documented, 'POSTGRES_HOST', 'POSTGRES_DB', 'POSTGRES_USER', 'POSTGRES_PASSWORD_FILE']);
    const used = Object.values(services).flatMap(({ environment = {} }) => Object.keys(environment));
    expect(used.filter((name) => !ours.has(name))).toEqual([]);
    expect(read('docker-compose.yml')).not.toMatch(/(PASSWORD|KEY|SECRET[A-Z_]*): (?!\$\{[A-Z_]+:-\}|\/secrets\/)\S/);
  });

  it('names the images by the version of the product', () => {
    const { version } = JSON.parse(read('package.json'));
    const images = Object.values(services)
      .map(({ image }) => image)
      .filter((image) => image.startsWith('chirality-'));
    expect(images.filter((image) => !image.endsWith(`:${version}`))).toEqual([]);
  });
});

describe('the worker’s seccomp profile', () => {
  /** @type {{ syscalls: SystemCalls[] }} */
  const profile = JSON.parse(read('docker/worker-seccomp.json'));
  const refused = new Set(profile.syscalls.filter(({ args }) => !args).flatMap(({ names }) => names));

  it('leaves bubblewrap what it needs, and Node and git what they need', () => {
    const needed = [
      'clone',
      'clone3',
      'unshare',
      'mount',
      'umount2',
      'pivot_root',
      'sethostname',
      'setns',
      'prctl',
      'seccomp',
      'chroot',
      'futex',
      'epoll_wait',
      'memfd_create',
      'flock',
      'prlimit64',
    ];
    expect(needed.filter((name) => refused.has(name))).toEqual([]);
  });

  it('refuses what reaches the kernel or other processes', () => {
    for (const name of [
      'bpf',
      'perf_event_open',
      'ptrace',
      'keyctl',
      'add_key',
      'io_uring_setup',
      'kexec_load',
      'init_module',
      'open_by_handle_at',
      'process_vm_writev',
      'userfaultfd',
      'fsopen',
      'reboot',
    ]) {
      expect([...refused]).toContain(name);
    }
  });
});

describe('the secrets of an installation', () => {
  /** @type {string} */
  let directory;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'chi-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  /**
   * @param {NodeJS.ProcessEnv} env
   * @param {string[]} args
   */
  const node = (env, ...args) =>
    spawnSync(process.execPath, args, { cwd: ROOT, env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' });

  it('are made once and read by every program', () => {
    expect(node({}, 'docker/secrets.mjs', directory).status).toBe(0);
    const key = readFileSync(join(directory, 'secret-key'), 'utf8');
    expect(node({}, 'docker/secrets.mjs', directory).status).toBe(0);
    expect(readFileSync(join(directory, 'secret-key'), 'utf8')).toBe(key);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(join(directory, 'postgres-password')).mode & 0o222).toBe(0);

    const program = join(directory, 'program.mjs');
    writeFileSync(
      program,
      'console.log(JSON.stringify([process.env.CHIRALITY_SECRET_KEY, process.env.DATABASE_URL, process.argv.slice(2)]))',
    );
    const password = readFileSync(join(directory, 'postgres-password'), 'utf8');
    const started = node(
      { CHIRALITY_SECRETS_DIR: directory, POSTGRES_HOST: 'postgres' },
      'docker/run.mjs',
      program,
      'word',
    );
    expect(JSON.parse(started.stdout)).toEqual([
      key,
      `postgresql://chirality:${password}@postgres/chirality`,
      ['word'],
    ]);
    const own = node(
      {
        CHIRALITY_SECRETS_DIR: directory,
        POSTGRES_HOST: 'postgres',
        CHIRALITY_SECRET_KEY: 'mine',
        DATABASE_URL: 'postgresql://elsewhere',
      },
      'docker/run.mjs',
      program,
    );
    expect(JSON.parse(own.stdout)).toEqual(['mine', 'postgresql://elsewhere', []]);
  });
});
