import { ConfigError, createLogger, loadConfig } from '@chirality/platform';
import { startWorker, type RunningWorker } from './worker/worker';

/** Exit codes that a supervisor may distinguish. */
const EXIT = { ok: 0, failed: 1, badConfiguration: 78, leaseLost: 75 } as const;

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger({ name: 'worker', level: config.logLevel, dataDir: config.dataDir });
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'worker.unhandled_rejection'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'worker.uncaught_exception');
    process.exit(EXIT.failed);
  });

  let worker: RunningWorker | null = null;
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'worker.signal');
    await worker?.stop();
    process.exit(EXIT.ok);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));

  worker = await startWorker(config, log, (reason) => {
    log.fatal({ reason }, 'worker.lease_lost');
    process.exit(EXIT.leaseLost);
  });
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(error instanceof ConfigError ? EXIT.badConfiguration : EXIT.failed);
});
