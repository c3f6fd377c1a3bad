import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiService, migrate, workerService } from './applications.mjs';
import { watchSources } from './development.mjs';
import { takeFirstLogin } from './first-login.mjs';
import { postgresService } from './postgres.mjs';
import { say, step } from '../text/progress.mjs';
import { redisService } from './redis.mjs';
import { rotatingLog } from './rotating-log.mjs';
import { Service } from './service.mjs';
import { untilStopRequested } from './stop-request.mjs';

/**
 * Starts the services in order, prints where to go, keeps them running, and ends them in the opposite order when asked
 * to stop. Rejects with a Sentence when one cannot be started; nothing is left running then either.
 */
export async function superviseUntilStopped(setting) {
  const { env, dataDir, runDir, runtime, redisProgram, dev } = setting;
  const stop = untilStopRequested();
  const started = [];
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const launch = async (description, { logged }) => {
    const write = rotatingLog(join(dataDir, 'logs', `${description.name}${logged === 'all' ? '' : '.stderr'}.log`));
    const service = new Service(description, {
      cwd: runtime.root,
      log: (line, source) => (logged === 'all' || source === 'stderr') && write(line),
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
                { logged: 'all' },
              ),
            ),
        env.REDIS_URL
          ? null
          : step('Redis started', () =>
              launch(useUrl(urls, 'REDIS_URL', redisService({ program: redisProgram, dataDir, runDir: runDir.path })), {
                logged: 'all',
              }),
            ),
      ]);
      await step('Database up to date', () => migrate(setting, urls));
      // What an application says on standard output it also writes to its own log file.
      await Promise.all([
        step('API started', () => launch(apiService(setting, urls), { logged: 'stderr' })),
        step('Worker started', () => launch(workerService(setting, urls), { logged: 'stderr' })),
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

function useUrl(urls, name, description) {
  urls[name] = description.url;
  return description;
}

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
  say(`  ${dev ? 'Sources are watched. ' : ''}Ctrl-C stops everything.`);
}

/** The applications first, so that what they still write finds its database; then Redis, then Postgres. */
async function endAll(services, stop) {
  if (services.length === 0) return;
  say('\nStopping. Running turns may end first; Ctrl-C again stops at once.');
  stop.onSecondRequest(() => services.forEach((service) => service.name !== 'postgres' && service.killNow()));
  const notice = sleep(10_000, null, { ref: false }).then(() => say('  … still waiting for running turns'));
  const named = (...names) => services.filter(({ name }) => names.includes(name)).map((service) => service.stop());
  await Promise.all(named('api', 'worker', 'web'));
  await Promise.all(named('redis'));
  await Promise.all(named('postgres'));
  notice.catch(() => undefined);
  say('Stopped.');
}
