import { join } from 'node:path';
import { firstLoginFile } from './first-login.mjs';
import { run } from '../host/run.mjs';
import { Sentence } from '../text/sentence.mjs';

/**
 * @typedef {import('./service.mjs').ServiceDescription} ServiceDescription
 * @typedef {{ DATABASE_URL: string | undefined, REDIS_URL: string | undefined }} Urls
 * @typedef {object} Setting What a start has decided and found.
 * @property {NodeJS.ProcessEnv} env
 * @property {string} host
 * @property {number} port
 * @property {string} dataDir
 * @property {import('../host/places.mjs').RunDir} runDir
 * @property {import('./runtime.mjs').Runtime} runtime
 * @property {string | null} redisProgram null where one of the operator's own is used
 * @property {boolean} dev
 */

/** How long a stopping application may take: a worker lets running turns end first. */
const STOP_MS = 150_000;
/** The worker says this once it takes turns (or knows why it cannot). */
const WORKER_READY = 'worker.ready';

/**
 * @param {Setting} setting
 * @param {Urls} urls
 */
export async function migrate(setting, urls) {
  const { code, output } = await run(setting.runtime.node, ['scripts/migrate.mjs'], {
    cwd: setting.runtime.root,
    env: { ...setting.env, ...urls },
  });
  if (code !== 0) throw new Sentence(output.trim() || 'The database could not be brought up to date.');
}

/**
 * @param {Setting} setting
 * @param {Urls} urls
 * @returns {ServiceDescription}
 */
export function apiService(setting, urls) {
  const { host, port, dataDir, runtime } = setting;
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  const base = `http://${name}:${port}/health`;
  // The first time it must have prepared its database; later a broken database is no reason to end it.
  let wasReady = false;
  return {
    ...application('api', setting, urls, {
      CHIRALITY_WEB_DIR: join(runtime.root, 'apps/web/dist'),
      CHIRALITY_FIRST_LOGIN_FILE: firstLoginFile(dataDir),
    }),
    isReady: async () => {
      const ready = await answers(wasReady ? `${base}/live` : `${base}/ready`);
      wasReady ||= ready;
      return ready;
    },
    isBack: () => answers(`${base}/ready`),
  };
}

/**
 * @param {Setting} setting
 * @param {Urls} urls
 * @returns {ServiceDescription}
 */
export function workerService(setting, urls) {
  let ready = false;
  return {
    ...application('worker', setting, urls, {}),
    beforeStart: () => {
      ready = false;
    },
    onLine: (line) => {
      ready ||= line.includes(`"${WORKER_READY}"`);
    },
    isReady: () => ready,
  };
}

/**
 * @param {'api' | 'worker'} name
 * @param {Setting} setting
 * @param {Urls} urls
 * @param {NodeJS.ProcessEnv} extra
 * @returns {Omit<ServiceDescription, 'isReady'>}
 */
function application(name, { env, host, port, dataDir, runDir, runtime }, urls, extra) {
  return {
    name,
    command: runtime.node,
    args: ['--enable-source-maps', join(runtime.root, 'apps', name, 'dist', 'main.js')],
    env: {
      ...env,
      ...urls,
      HOST: host,
      PORT: String(port),
      CHIRALITY_DATA_DIR: dataDir,
      CHIRALITY_RUN_DIR: runDir.path,
      CHIRALITY_SUPERVISED: '1',
      ...extra,
    },
    stopSignal: 'SIGTERM',
    // Like a crash, from which everything recovers: no one is left to wait for a polite end.
    deathSignal: 'KILL',
    stopMs: STOP_MS,
    readyMs: 60_000,
  };
}

/** @param {string} url */
async function answers(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
