import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { waitFor } from '@chirality/testing';

const ROOT = join(__dirname, '../..');

/** One `npm start`: what it printed and how it ended. */
export class Started {
  output = '';
  /**
   * @param {string} dataDir
   * @param {number} port
   * @param {NodeJS.ProcessEnv} [env]
   */
  constructor(dataDir, port, env = {}) {
    this.dataDir = dataDir;
    this.url = `http://127.0.0.1:${port}`;
    this.child = spawn(process.execPath, ['scripts/start.mjs'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, CHIRALITY_DATA_DIR: dataDir, PORT: String(port), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (this.output += text));
    this.exit = once(this.child, 'exit').then(([code, signal]) => (this.ended = { code, signal }));
  }

  async untilReady() {
    await waitFor(() => this.ended !== undefined || this.output.includes('Ctrl-C stops everything'), {
      what: 'npm start is ready',
      timeoutMs: 120_000,
    });
    if (this.ended) throw new Error(`npm start ended with ${JSON.stringify(this.ended)}:\n${this.output}`);
    return this;
  }

  /** @param {NodeJS.Signals} [signal] */
  async stop(signal = 'SIGTERM') {
    if (!this.ended) this.child.kill(signal);
    return this.exit;
  }
}

/**
 * Every process that was started for this data directory, by what it was given.
 * @param {string} dataDir
 */
export function processesOf(dataDir) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => ['cmdline', 'environ'].some((file) => contentOf(`/proc/${pid}/${file}`).includes(dataDir)))
    .map((pid) => contentOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 120));
}

/** @param {string} path */
export function contentOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('the server listens on no port');
  return address.port;
}

/**
 * The pid of one process of that data directory's service; null while there is none.
 * @param {string} dataDir
 * @param {string} name
 */
export function pidOf(dataDir, name) {
  if (name === 'postgres') return Number(contentOf(join(dataDir, 'postgres', 'postmaster.pid')).split('\n')[0]) || null;
  const sign = name === 'redis' ? join(dataDir, 'run', 'redis.sock') : `apps/${name}/dist/main.js`;
  const found = readdirSync('/proc').find(
    (pid) =>
      /^\d+$/.test(pid) &&
      isProcess(pid, sign) &&
      (name === 'redis' || contentOf(`/proc/${pid}/environ`).includes(`CHIRALITY_DATA_DIR=${dataDir}\0`)),
  );
  return found === undefined ? null : Number(found);
}

/**
 * Not the one that is about to become it. Redis writes what it listens on into its name.
 * @param {string} pid
 * @param {string} sign
 */
function isProcess(pid, sign) {
  const [program = '', ...words] = contentOf(`/proc/${pid}/cmdline`).split('\0');
  return !/setpriv$|\/sh$/.test(program) && [program, ...words].some((word) => word.includes(sign));
}
