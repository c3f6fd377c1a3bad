import { join } from 'node:path';
import type { Config, Logger } from '@chirality/platform';
import { agentProgram, Harnesses } from '../harness/registry/harnesses';
import { createSandbox } from '../sandbox/setup/create-sandbox';
import { SandboxWatch } from '../sandbox/sandbox-watch';

export type Sandboxing = ReturnType<typeof createSandboxing>;

/** In what programs are started, and which programs. */
export function createSandboxing(config: Config, log: Logger) {
  const sandbox = createSandbox({
    mode: config.sandbox,
    production: config.production,
    runDir: config.runDir,
    filesDir: join(config.dataDir, 'sandbox'),
    searchPath: config.searchPath,
    program: agentProgram(config.claudePath),
  });
  return { sandbox, sandboxWatch: new SandboxWatch(sandbox, log), harnesses: new Harnesses(sandbox) };
}
