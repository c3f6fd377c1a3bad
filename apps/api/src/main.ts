import 'reflect-metadata';
import { assertTransitionTable } from '@chirality/domain';
import { ConfigError, createLogger, loadConfig, type Config, type Logger } from '@chirality/platform';
import { currentContext } from './core/http/request-context';
import { createServices } from './server/services';
import { startServer } from './startup/start-server';

/** EX_CONFIG: starting again would not help. */
const BAD_CONFIGURATION = 78;
const STOP_LIMIT_MS = 9_500;

function configOrExit(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return refuseConfiguration(error);
  }
}

function refuseConfiguration(error: ConfigError): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(BAD_CONFIGURATION);
}

function endWith(log: Logger, error: unknown, key: string): never {
  log.fatal({ err: error }, key);
  process.exit(1);
}

async function main(): Promise<void> {
  assertTransitionTable();
  const config = configOrExit();
  const log = createLogger({ name: 'api', level: config.logLevel, dataDir: config.dataDir, context: currentContext });
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'api.unhandled_rejection'));
  process.on('uncaughtException', (error) => endWith(log, error, 'api.uncaught_exception'));
  const server = await startServer(createServices(config, log));

  const stop = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'api.stopping');
    setTimeout(
      () => endWith(log, new Error('the time to stop is over'), 'api.not_stopped_in_time'),
      STOP_LIMIT_MS,
    ).unref();
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => endWith(log, error, 'api.not_stopped_cleanly'),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // Without a supervisor the process stays, so that its readiness names the reason; a supervisor has to stop.
  await server.prepared.catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    if (!config.supervised) return;
    refuseConfiguration(error);
  });
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) refuseConfiguration(error);
  process.stderr.write(`The api could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
