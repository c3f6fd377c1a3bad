import { join } from 'node:path';
import { CHECKOUT, version } from '../host/checkout.mjs';
import { requireFreeSpace } from '../host/disk.mjs';
import { readEnvironment } from '../host/environment.mjs';
import { becomeIdentity, decideIdentity, yieldToOwner } from '../host/identity.mjs';
import { lockHolder, takeLock } from '../host/lock.mjs';
import { requireFreeAddress } from '../host/network.mjs';
import { chooseDataDir, makeDataDir, makeRunDir } from '../host/places.mjs';
import { prepareCluster } from '../services/postgres.mjs';
import { prepareCheckoutAnd } from '../prepare/prepare.mjs';
import { findBubblewrap, findRedis, programPath, requireGit } from '../host/programs.mjs';
import { messageOf } from '../text/errors.mjs';
import { say, step } from '../text/progress.mjs';
import { chooseRuntime, proveReach } from '../services/runtime.mjs';
import { whySandboxFails } from '../host/sandbox-probe.mjs';
import { explain, Sentence } from '../text/sentence.mjs';
import { superviseUntilStopped } from '../services/supervise.mjs';

/** @typedef {import('../host/identity.mjs').Identity} Identity */

const MIN_FREE_MB = 300;

/**
 * Prepares, starts, watches and ends the whole service; ends this process with 0 after a stop, 1 after a failure.
 * @param {string[]} words
 */
export async function main(words) {
  try {
    await start({ dev: words.includes('--dev') });
    process.exit(0);
  } catch (error) {
    process.stderr.write(`\n${explain(error)}\n`);
    process.exit(1);
  }
}

/** @param {{ dev: boolean }} options */
async function start({ dev }) {
  const env = readEnvironment(CHECKOUT);
  const host = env.HOST || '127.0.0.1';
  const port = Number(env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new Sentence(`PORT is ${env.PORT}, which is no port: choose a number from 1 to 65535.`);
  const caller = decideIdentity(CHECKOUT);
  say(`Chirality ${version()}`);
  refuseSecondStarts(env);
  await requireFreeAddress(host, port, caller);

  const redisProgram = await step('Redis, git and sandbox found', () => findPrograms(env, caller));
  env.PATH = programPath();
  const identity = yieldToOwner(caller, CHECKOUT);
  // Before the installation, which takes minutes. A copy's own directory is known only after it.
  if (!identity.foreign || env.CHIRALITY_DATA_DIR) makeDataDir(chooseDataDir(env, { runtimeIsCopy: false }), identity);
  const { runtime, dataDir, lock } = await prepareCheckoutAnd(async () => {
    // Another start may serve since this one began to wait: what it runs from stays as it is.
    refuseSecondStarts(env);
    return claimPlace(env, identity, `http://${host}:${port}`);
  });
  try {
    if (!env.DATABASE_URL)
      await step('Postgres data directory made', () => prepareCluster(runtime.root, dataDir, identity));
    becomeIdentity(identity, identity.home ?? dataDir);
    const { HOME, USER, LOGNAME } = process.env;
    Object.assign(env, { HOME, USER, LOGNAME });
    const runDir = makeRunDir(dataDir);
    await superviseUntilStopped({ env, host, port, dataDir, runDir, runtime, redisProgram, dev });
  } finally {
    lock.release();
  }
}

/**
 * Where the service runs from and keeps its data, with the lock of the data.
 * @param {NodeJS.ProcessEnv} env
 * @param {Identity} identity
 * @param {string} address
 */
async function claimPlace(env, identity, address) {
  const runtime = await chooseRuntime(identity);
  proveReach(runtime, identity);
  const dataDir = chooseDataDir(env, { runtimeIsCopy: runtime.isCopy });
  makeDataDir(dataDir, identity);
  requireFreeSpace(dataDir, MIN_FREE_MB, 'running');
  const lock = takeLock(join(dataDir, 'running.json'), { address }, identity);
  if (lock.holder) throw runsAlready(dataDir, lock.holder);
  return { runtime, dataDir, lock };
}

/** @param {NodeJS.ProcessEnv} env */
function refuseSecondStarts(env) {
  for (const runtimeIsCopy of [false, true]) refuseSecondStart(chooseDataDir(env, { runtimeIsCopy }));
}

/** @param {string} dataDir */
function refuseSecondStart(dataDir) {
  const holder = lockHolder(join(dataDir, 'running.json'));
  if (holder) throw runsAlready(dataDir, holder);
}

/**
 * @param {string} dataDir
 * @param {import('../host/lock.mjs').LockHolder} holder
 */
function runsAlready(dataDir, holder) {
  return new Sentence(
    `Chirality is already running with the data in ${dataDir} (process ${holder.pid}): open ${holder.address}, or stop it first.`,
  );
}

/**
 * Answers the Redis server, or null where one of the operator's own is used.
 * @param {NodeJS.ProcessEnv} env
 * @param {Identity} identity
 */
async function findPrograms(env, identity) {
  await requireGit();
  if (env.CHIRALITY_SANDBOX !== 'none') await proveSandbox(identity);
  return env.REDIS_URL ? null : findRedis();
}

/**
 * Where there is a bubblewrap that makes no sandbox, or a system without namespaces, the service starts for everything
 * but turns, and says so.
 * @param {Identity} identity
 */
async function proveSandbox(identity) {
  try {
    await findBubblewrap();
  } catch (error) {
    if (process.platform === 'linux') throw error;
    say(`  ! ${messageOf(error)}`);
    return;
  }
  const why = await whySandboxFails(identity, programPath());
  if (why)
    say(
      `  ! No sandbox can be made here (${why}): turns are refused with SANDBOX_UNAVAILABLE. See "Sandbox" in docs/operations.md.`,
    );
}
