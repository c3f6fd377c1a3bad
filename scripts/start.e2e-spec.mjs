import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestClient, waitFor } from '@chirality/testing';
import { Client } from 'pg';
import { contentOf, freePort, processesOf, Started } from './testing/started.mjs';

jest.setTimeout(180_000);

const ROOT = join(__dirname, '..');
const NEW_PASSWORD = 'correct-horse-battery';

describe('npm start', () => {
  /** @type {string} */
  let dataDir;
  /** @type {number} */
  let port;
  /** @type {Started} */
  let current;
  /** @type {(env?: NodeJS.ProcessEnv) => Started} */
  const start = (env) => (current = new Started(dataDir, port, env));

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'chi-'));
    port = await freePort();
  });
  afterAll(async () => {
    await current?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** @type {string} */
  let sessionId;

  it('serves from an empty data directory, prints the first sign-in, and runs a turn with the demo model', async () => {
    const { url, output } = await start().untilReady();
    expect(output).toContain(`Open ${url}`);
    const password = /First sign-in: owner@chirality\.local\n\s+Password:\s+(\S+)/.exec(output)?.[1] ?? '';
    expect(existsSync(join(dataDir, 'first-login.json'))).toBe(false);

    const first = await TestClient.login(url, 'owner@chirality.local', password);
    expect(
      (await first.call('POST', '/v1/auth/password/change', { currentPassword: password, newPassword: NEW_PASSWORD }))
        .status,
    ).toBeLessThan(300);
    const person = await TestClient.login(url, 'owner@chirality.local', NEW_PASSWORD);
    sessionId = (await person.createSession((await person.createProject()).id)).id;
    const turn = await person.send(sessionId, 'Hello');
    expect(await person.waitForEnd(sessionId, turn.id, 60_000)).toMatchObject({
      status: 'completed',
      text: expect.stringContaining('demo model'),
    });
    expect((await fetch(url)).headers.get('content-type')).toMatch(/text\/html/);
  });

  it('never writes the password or a key into its logs', () => {
    const logs = readdirSync(join(dataDir, 'logs'))
      .map((name) => readFileSync(join(dataDir, 'logs', name), 'utf8'))
      .join('');
    const key = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim();
    const password = /Password:\s+(\S+)/.exec(current.output)?.[1] ?? '';
    expect([logs.length > 1000, password.length > 0]).toEqual([true, true]);
    for (const secret of [key, password, NEW_PASSWORD]) expect(logs.includes(secret)).toBe(false);
  });

  it('refuses a second start with the same data in one sentence', async () => {
    const second = new Started(dataDir, await freePort());
    expect(await second.exit).toEqual({ code: 1, signal: null });
    expect(second.output).toMatch(
      new RegExp(
        `already running with the data in ${dataDir} \\(process \\d+\\): open ${current.url}, or stop it first`,
      ),
    );
  });

  it('refuses a port that is taken', async () => {
    const other = new Started(mkdtempSync(join(tmpdir(), 'chi-')), port);
    expect(await other.exit).toEqual({ code: 1, signal: null });
    expect(other.output).toContain(`Port ${port} at 127.0.0.1 is taken by another program`);
    rmSync(other.dataDir, { recursive: true, force: true });
  });

  it('starts what is killed again, and says so', async () => {
    const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const api = readdirSync('/proc').find(
      (pid) =>
        /^\d+$/.test(pid) &&
        contentOf(`/proc/${pid}/cmdline`).includes('apps/api/dist/main.js') &&
        contentOf(`/proc/${pid}/environ`).includes(dataDir),
    );
    process.kill(Number(api), 'SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    await waitFor(() => /api runs again/.test(current.output) && /postgres runs again/.test(current.output), {
      what: 'both run again',
      timeoutMs: 30_000,
    });
    expect(current.output).toMatch(/api stopped unexpectedly \(killed by SIGKILL\); starting it again/);
    await waitFor(async () => (await fetch(`${current.url}/health/ready`).catch(() => null))?.status === 200, {
      what: 'the api is ready',
      timeoutMs: 30_000,
    });
  });

  it('leaves no process behind when it is killed itself', async () => {
    expect(processesOf(dataDir).length).toBeGreaterThan(5);
    await current.stop('SIGKILL');
    await waitFor(() => processesOf(dataDir).length === 0, { what: 'every process is gone', timeoutMs: 20_000 }).catch(
      (error) => {
        throw new Error(`${error.message}:\n${processesOf(dataDir).join('\n')}`);
      },
    );
  });

  it('ends when the npm that started it is killed', async () => {
    // npm runs scripts through a shell that it does not take along.
    const npm = spawn(
      process.execPath,
      [
        '-e',
        `require('node:child_process').spawn('/bin/sh', ['-c', '"$0" scripts/start.mjs; exit', process.execPath], { stdio: 'inherit' }); setInterval(() => undefined, 1000)`,
      ],
      {
        cwd: ROOT,
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          CHIRALITY_DATA_DIR: dataDir,
          PORT: String(port),
          npm_lifecycle_event: 'start',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    npm.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    await waitFor(() => output.includes('Ctrl-C stops everything'), { what: 'npm start is ready', timeoutMs: 120_000 });
    npm.kill('SIGKILL');
    await waitFor(() => processesOf(dataDir).length === 0, { what: 'every process is gone', timeoutMs: 30_000 });
  });

  it('keeps its data over a start after that, builds nothing again, and prints no password', async () => {
    const { url, output } = await start().untilReady();
    expect(output).not.toMatch(/Password|Dependencies installed|Programs built/);
    const person = await TestClient.login(url, 'owner@chirality.local', NEW_PASSWORD);
    expect((await person.events(sessionId)).at(-1)?.kind).toBe('turn:end');
  });

  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGTERM', 'SIGINT'];
  it.each(signals)('ends everything in order at %s', async (signal) => {
    if (current.ended) await start().untilReady();
    expect(await current.stop(signal)).toEqual({ code: 0, signal: null });
    expect(current.output).toMatch(/Stopped\.\n$/);
    expect(processesOf(dataDir)).toEqual([]);
    expect(existsSync(join(dataDir, 'running.json'))).toBe(false);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  it.each([
    ['a port that is none', { PORT: 'http' }, /PORT is http, which is no port/],
    [
      'an open address without a proxy',
      { HOST: '0.0.0.0' },
      /HOST 0\.0\.0\.0 can be reached from other machines: put a proxy with TLS in front/,
    ],
    ['a key that is none', { CHIRALITY_SECRET_KEY: 'short' }, /CHIRALITY_SECRET_KEY must be 32 bytes written as hex/],
    [
      'a database that is away',
      { DATABASE_URL: 'postgresql://unknown@127.0.0.1:1/x' },
      /The database of DATABASE_URL cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\): start it/,
    ],
  ])('refuses %s in one sentence, and leaves nothing running', async (_, env, sentence) => {
    const failed = start(env);
    expect((await failed.exit).code).toBe(1);
    expect(failed.output).toMatch(sentence);
    expect(failed.output).not.toMatch(/^\s+at .*\.js:\d+/m);
    expect(processesOf(dataDir)).toEqual([]);
  });

  it('refuses a database that a newer version wrote', async () => {
    await start().untilReady();
    const client = new Client({
      connectionString: `postgresql://chirality@localhost/chirality?host=${encodeURIComponent(join(dataDir, 'run'))}`,
    });
    await client.connect();
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ('x', 'x', '99990101000000_future', now(), 1)`,
    );
    await client.end();
    await current.stop();
    const refused = start();
    expect(await refused.exit).toEqual({ code: 1, signal: null });
    expect(refused.output).toContain(
      'The database was migrated by a newer version of Chirality (99990101000000_future)',
    );
    expect(processesOf(dataDir)).toEqual([]);
  });
});
