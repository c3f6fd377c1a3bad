import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiService, migrate, workerService } from './applications.mjs';
import { watchSources } from './development.mjs';
import { takeFirstLogin } from './first-login.mjs';
import { modelLine } from './model-line.mjs';
import { postgresService } from './postgres.mjs';
import { say, step } from '../text/progress.mjs';
import { redisService } from './redis.mjs';
import { rotatingLog } from './rotating-log.mjs';
import { Service } from './service.mjs';
import { untilStopRequested } from './stop-request.mjs';

/**
 * @typedef {import('./applications.mjs').Setting} Setting
 * @typedef {import('./applications.mjs').Urls} Urls
 */

/**
 * Starts the services in order, prints where to go, keeps them running, and ends them in the opposite order when asked
 * to stop. Rejects with a Sentence when one cannot be started; nothing is left running then either.
 * @param {Setting} setting
 */
export async function superviseUntilStopped(setting) {
  const { env, dataDir, runDir, runtime, redisProgram, dev } = setting;
  const stop = untilStopRequested();
  /** @type {Service[]} */
  const started = [];
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  /**
   * @param {import('./service.mjs').ServiceDescription} description
   * @param {'all' | 'stderr'} logged
   */
  const launch = async (description, logged) => {
    const write = rotatingLog(join(dataDir, 'logs', `${description.name}${logged === 'all' ? '' : '.stderr'}.log`));
    const service = new Service(description, {
      cwd: runtime.root,
      log: (line, source) => {
        if (logged === 'all' || source === 'stderr') write(line);
      },
    });
    started.push(service);
    await service.start();
  };
  try {
    const urls = { DATABASE_URL: env.DATABASE_URL, REDIS_URL: env.REDIS_URL };
    const ready = (async () => {
      await Promise.all([
        env.DATABASE_URL
          ? null
          : step('Postgres started', () =>
              launch(
                useUrl(urls, 'DATABASE_URL', postgresService({ root: runtime.root, dataDir, runDir: runDir.path })),
                'all',
              ),
            ),
        redisProgram === null
          ? null
          : step('Redis started', () =>
              launch(
                useUrl(urls, 'REDIS_URL', redisService({ program: redisProgram, dataDir, runDir: runDir.path })),
                'all',
              ),
            ),
      ]);
      await step('Database up to date', () => migrate(setting, urls));
      // What an application says on standard output it also writes to its own log file.
      await Promise.all([
        step('API started', () => launch(apiService(setting, urls), 'stderr')),
        step('Worker started', () => launch(workerService(setting, urls), 'stderr')),
      ]);
    })();
    await Promise.race([ready, stop.requested]);
    if (!stop.isRequested()) announce(setting);
    const watching = dev && !stop.isRequested() ? watchSources(setting, started, stop) : null;
    await stop.requested;
    ready.catch(() => undefined);
    watching?.close();
  } finally {
    await endAll(started, stop);
    if (runDir.temporary) rmSync(runDir.path, { recursive: true, force: true });
  }
}

/**
 * @param {Urls} urls
 * @param {keyof Urls} name
 * @param {import('./service.mjs').DataService} description
 */
function useUrl(urls, name, description) {
  urls[name] = description.url;
  return description;
}

/** @param {Setting} setting */
function announce({ host, port, dataDir, env, dev }) {
  const address = env.CHIRALITY_PUBLIC_URL || `http://${host}:${port}`;
  const first = takeFirstLogin(dataDir);
  say('');
  say(`  Open ${address}`);
  if (first) {
    say(`  First sign-in: ${first.email}`);
    say(`  Password:      ${first.password}   (shown this once; you will choose your own)`);
  }
  say(`  Data and logs: ${dataDir}`);
  say(`  ${modelLine(env)}`);
  say(`  ${dev ? 'Sources are watched. ' : ''}Ctrl-C stops everything.`);
}

/**
 * The applications first, so that what they still write finds its database; then Redis, then Postgres.
 * @param {Service[]} services
 * @param {import('./stop-request.mjs').StopRequest} stop
 */
async function endAll(services, stop) {
  if (services.length === 0) return;
  say('\nStopping. Running turns may end first; Ctrl-C again stops at once.');
  stop.onSecondRequest(() => {
    for (const service of services) if (service.name !== 'postgres') service.killNow();
  });
  const notice = sleep(10_000, null, { ref: false }).then(() => say('  … still waiting for running turns'));
  const named = (/** @type {string[]} */ ...names) =>
    services.filter(({ name }) => names.includes(name)).map((service) => service.stop());
  await Promise.all(named('api', 'worker', 'web'));
  await Promise.all(named('redis'));
  await Promise.all(named('postgres'));
  notice.catch(() => undefined);
  say('Stopped.');
}
