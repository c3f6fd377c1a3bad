import { watch } from 'node:fs';
import { join } from 'node:path';
import { build } from '../prepare/build.mjs';
import { CHECKOUT } from '../host/checkout.mjs';
import { messageOf } from '../text/errors.mjs';
import { say } from '../text/progress.mjs';
import { Service } from './service.mjs';

const QUIET_MS = 300;

/**
 * Serves the dashboard from its sources, and builds and restarts api and worker whenever one of theirs changes.
 * @param {import('./applications.mjs').Setting} setting
 * @param {Service[]} started
 * @param {import('./stop-request.mjs').StopRequest} stop
 */
export function watchSources(setting, started, stop) {
  const web = webServer(setting);
  started.push(web);
  web.start().catch((error) => say(`  ! ${messageOf(error)}`));
  say('  Dashboard from its sources: http://127.0.0.1:5173');
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<void>} */
  let working = Promise.resolve();
  const changed = (/** @type {string | undefined} */ file) => {
    if (!file || /\.spec\.tsx?$/.test(file) || /(^|\/)(dist|generated|node_modules)\//.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      working = working.then(() => (stop.isRequested() ? undefined : rebuildAndRestart(started)));
    }, QUIET_MS);
  };
  const watchers = ['libs', 'apps/api', 'apps/worker'].map((path) =>
    watch(join(CHECKOUT, path), { recursive: true }, (_, file) => changed(file?.toString())),
  );
  return { close: () => watchers.forEach((watcher) => watcher.close()) };
}

/** @param {Service[]} started */
async function rebuildAndRestart(started) {
  try {
    if ((await build()) === 'unchanged') return;
    await Promise.all(
      started.filter(({ name }) => name === 'api' || name === 'worker').map((service) => service.restart()),
    );
    say('  ✓ Built and started again');
  } catch (error) {
    say(`  ! ${messageOf(error)}`);
  }
}

/** @param {import('./applications.mjs').Setting} setting */
function webServer({ env, runtime, port }) {
  return new Service(
    {
      name: 'web',
      command: runtime.node,
      args: ['node_modules/vite/bin/vite.js', 'apps/web', '--host', '127.0.0.1', '--port', '5173', '--strictPort'],
      env: { ...env, CHIRALITY_API_URL: `http://127.0.0.1:${port}` },
      stopSignal: 'SIGTERM',
      deathSignal: 'KILL',
      stopMs: 5000,
      isReady: async () => (await fetch('http://127.0.0.1:5173/').catch(() => null)) !== null,
      readyMs: 60_000,
    },
    { cwd: runtime.root },
  );
}
