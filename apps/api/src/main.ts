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

function endWith(log: Logger, error: unknown, text: string): never {
  log.fatal({ err: error }, text);
  process.exit(1);
}

async function main(): Promise<void> {
  assertTransitionTable();
  const config = configOrExit();
  const log = createLogger({ name: 'api', level: config.logLevel, dataDir: config.dataDir, context: currentContext });
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'a promise was rejected and nobody looked'));
  process.on('uncaughtException', (error) => endWith(log, error, 'an error escaped; this process ends'));
  const server = await startServer(createServices(config, log));

  const stop = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopping');
    setTimeout(
      () => endWith(log, new Error('the time to stop is over'), 'could not stop in time'),
      STOP_LIMIT_MS,
    ).unref();
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => endWith(log, error, 'could not stop cleanly'),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // Whoever watches the readiness of a process that nobody supervises finds the reason there; a supervisor is to stop.
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
