import { parseArgs } from 'node:util';
import { startScriptedModel } from './server/scripted-model';

/** `node dist/main.js --port N [--host H] [--socket PATH] [--directives] [--word-delay-ms N]`: prints its address, ends on SIGTERM. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      socket: { type: 'string' },
      directives: { type: 'boolean', default: false },
      'word-delay-ms': { type: 'string' },
    },
  });
  const delay = values['word-delay-ms'];
  const model = await startScriptedModel({
    listen:
      values.socket === undefined ? { port: Number(values.port), host: values.host } : { socketPath: values.socket },
    directives: values.directives,
    ...(delay === undefined ? {} : { wordDelayMs: Number(delay) }),
  });
  process.stdout.write(`scripted model listening on ${model.socketPath ?? model.url}\n`);
  const stop = (): void => void model.close();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`scripted model: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
