import { join } from 'node:path';
import type { Config, Logger } from '@chirality/platform';
import { authoritiesFile } from '../egress/authorities';
import { agentProgram, Harnesses } from '../harness/registry/harnesses';
import { DEFAULT_LIMITS } from '../sandbox/limits';
import { createSandbox } from '../sandbox/setup/create-sandbox';
import { SandboxWatch } from '../sandbox/sandbox-watch';

export type Sandboxing = ReturnType<typeof createSandboxing>;

/** In what programs are started, and which programs. */
export function createSandboxing(config: Config, log: Logger) {
  const authorities = authoritiesFile(config.caFile, join(config.dataDir, 'authorities.pem'));
  const sandbox = createSandbox({
    mode: config.sandbox,
    production: config.production,
    runDir: config.runDir,
    filesDir: join(config.dataDir, 'sandbox'),
    searchPath: config.searchPath,
    program: agentProgram(config.claudePath),
    limits: limitsFor(config.maxRepositoryBytes),
    authorities,
  });
  return { sandbox, authorities, sandboxWatch: new SandboxWatch(sandbox, log), harnesses: new Harnesses(sandbox) };
}

/** A pack of that size is one file, and is beside the bundle that it is built from. */
function limitsFor(maxRepositoryBytes: number) {
  return {
    fileBytes: Math.max(DEFAULT_LIMITS.fileBytes, maxRepositoryBytes),
    diskBytes: Math.max(DEFAULT_LIMITS.diskBytes, 3 * maxRepositoryBytes),
  };
}
