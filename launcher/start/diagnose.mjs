import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasApt } from '../host/apt.mjs';
import { CHECKOUT } from '../host/checkout.mjs';
import { freeMegabytes } from '../host/disk.mjs';
import { readEnvironment } from '../host/environment.mjs';
import { decideIdentity, firstOutOfReach } from '../host/identity.mjs';
import { isInstalled } from '../prepare/install.mjs';
import { lockHolder } from '../host/lock.mjs';
import { requireFreeAddress } from '../host/network.mjs';
import { complainAboutNode } from '../host/node-version.mjs';
import { chooseDataDir, ownPlace } from '../host/places.mjs';
import { postgresPrograms } from '../services/postgres.mjs';
import { programPath } from '../host/programs.mjs';
import { which } from '../host/run.mjs';
import { whySandboxFails } from '../host/sandbox-probe.mjs';
import { messageOf } from '../text/errors.mjs';

/**
 * @typedef {{ state: 'ok' | 'note' | 'missing', text: string }} Finding
 * @typedef {import('../host/identity.mjs').Identity} Identity
 */

/** @type {(text: string) => Finding} */
const ok = (text) => ({ state: 'ok', text });
/** @type {(text: string) => Finding} */
const note = (text) => ({ state: 'note', text });
/** @type {(text: string) => Finding} */
const missing = (text) => ({ state: 'missing', text });

/**
 * What a start on this machine would find, without changing anything.
 * @returns {AsyncGenerator<Finding>}
 */
export async function* diagnose() {
  const env = readEnvironment(CHECKOUT);
  const path = programPath();
  const identity = decideIdentity(CHECKOUT);
  const complaint = complainAboutNode(process.versions.node);
  yield complaint ? missing(complaint) : ok(`Node.js ${process.versions.node}`);
  yield isInstalled()
    ? ok('Dependencies are installed')
    : note('Dependencies are not installed, or not as package-lock.json says: npm start installs them');
  yield whoRuns(identity);
  yield place(env, identity);
  yield database(env);
  yield redis(env, path);
  yield which('git') ? ok('git') : missing('No git: install it');
  yield await sandbox(env, path, identity);
  yield claude(env);
  yield env.ANTHROPIC_API_KEY
    ? ok('ANTHROPIC_API_KEY is set')
    : note('No ANTHROPIC_API_KEY: keys of teams and people are used, else the demo model');
  yield await address(env, identity);
  yield which('chromium', path)
    ? ok('Chromium for the browser tests')
    : note('No Chromium: npm test fetches it where apt-get is, else skips the browser tests');
}

/** @param {Identity} identity */
function whoRuns(identity) {
  if (!identity.foreign) return ok(`It would run as user id ${identity.uid}`);
  const reach = firstOutOfReach(identity, [
    ['x', CHECKOUT],
    ['x', process.execPath],
  ]);
  if (reach === null) return ok(`Started by root, it would run as user id ${identity.uid}`);
  return note(
    `Started by root, it would run as user id ${identity.uid}, which cannot reach ${reach}: npm start runs it from a copy in ${ownPlace()}`,
  );
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {Identity} identity
 */
function place(env, identity) {
  const dataDir = chooseDataDir(env, { runtimeIsCopy: false });
  const free = freeMegabytes(dataDir);
  if (free < 300) return missing(`Only ${free} MB are free for ${dataDir}: free some space`);
  // A start by root hands root's own over.
  const isHandedOver = identity.foreign && statSync(dataDir, { throwIfNoEntry: false })?.uid === 0;
  if (existsSync(dataDir) && !isHandedOver && firstOutOfReach(identity, [['w', dataDir]]))
    return missing(
      `User id ${identity.uid} cannot write to ${dataDir}: hand it over with chown -R ${identity.uid} ${dataDir}`,
    );
  return ok(`Data in ${dataDir} (${Math.floor(free / 1000)} GB free)`);
}

/** @param {NodeJS.ProcessEnv} env */
function database(env) {
  if (env.DATABASE_URL) return ok('DATABASE_URL is set');
  if (existsSync(join(postgresPrograms(CHECKOUT), 'postgres'))) return ok('Embedded Postgres is installed');
  return isInstalled()
    ? missing(`No embedded Postgres for ${process.platform}-${process.arch}: set DATABASE_URL`)
    : note('Embedded Postgres comes with the dependencies');
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} path
 */
function redis(env, path) {
  if (env.REDIS_URL) return ok('REDIS_URL is set');
  const program = which('redis-server', path) ?? which('valkey-server', path);
  if (program) return ok(`Redis server ${program}`);
  return hasApt()
    ? note('No Redis server: npm start fetches one with apt-get')
    : missing('No Redis server: install redis or valkey, or set REDIS_URL');
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} path
 * @param {Identity} identity
 */
async function sandbox(env, path, identity) {
  if (env.CHIRALITY_SANDBOX === 'none')
    return note('CHIRALITY_SANDBOX=none: every turn may do whatever the service may');
  if (process.platform !== 'linux')
    return missing('No sandbox on this system: turns are refused unless CHIRALITY_SANDBOX=none');
  if (!which('bwrap', path))
    return hasApt()
      ? note('No bubblewrap: npm start fetches it with apt-get')
      : missing('No bubblewrap: install it; npm start needs it unless CHIRALITY_SANDBOX=none');
  const why = await whySandboxFails(identity, path);
  return why === null
    ? ok('bubblewrap makes a sandbox')
    : missing(`bubblewrap cannot make a sandbox: ${why} (docs/operations.md, "Sandbox")`);
}

/** @param {NodeJS.ProcessEnv} env */
function claude(env) {
  if (env.CHIRALITY_CLAUDE_PATH)
    return existsSync(env.CHIRALITY_CLAUDE_PATH)
      ? ok(`claude ${env.CHIRALITY_CLAUDE_PATH}`)
      : missing(`CHIRALITY_CLAUDE_PATH ${env.CHIRALITY_CLAUDE_PATH} does not exist`);
  const installed = join(
    CHECKOUT,
    'node_modules/@anthropic-ai',
    `claude-code-${process.platform}-${process.arch}`,
    'claude',
  );
  if (existsSync(installed)) return ok('claude is installed');
  return isInstalled()
    ? missing(`No claude for ${process.platform}-${process.arch}: set CHIRALITY_CLAUDE_PATH`)
    : note('claude comes with the dependencies');
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {Identity} identity
 */
async function address(env, identity) {
  const host = env.HOST || '127.0.0.1';
  const port = Number(env.PORT || 3000);
  const holder =
    lockHolder(join(chooseDataDir(env, { runtimeIsCopy: false }), 'running.json')) ??
    lockHolder(join(ownPlace(), 'data', 'running.json'));
  if (holder) return ok(`Chirality is running: ${holder.address}`);
  try {
    await requireFreeAddress(host, port, identity);
    return ok(`${host} port ${port} is free`);
  } catch (error) {
    return missing(messageOf(error));
  }
}
