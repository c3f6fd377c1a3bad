import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { waitFor } from '@chirality/testing';
import { isRunning, readProcess, type ProcessEntry } from '../src/sandbox/process/process-table';
import type { SandboxedProcess, SandboxRequest } from '../src/sandbox/sandbox.types';
import { makeSandboxHost, type SandboxHost } from './sandbox-host';

/** Children that detach themselves in every way, and are deaf to signals. */
export const DETACHED =
  'setsid sleep 600 & nohup sleep 601 >/dev/null 2>&1 & ( setsid nohup bash -c "trap \'\' TERM INT HUP; sleep 602; sleep 603" & ) ; sleep 0.1; echo ready;';

/**
 * The beginning of a program that stands for a worker: `sandbox` is made from the sources, with the program that it
 * shows.
 */
export function sandboxOf(runDir: string, more: object = {}): string {
  const source = (path: string) => JSON.stringify(join(__dirname, '../src', path));
  const settings = { mode: 'bubblewrap', production: true, runDir, searchPath: '', ...more };
  return `
    const { createSandbox } = require(${source('sandbox/setup/create-sandbox.ts')});
    const { claudeProgram } = require(${source('harness/claude-code/claude-program.ts')});
    const sandbox = createSandbox({ ...${JSON.stringify(settings)}, program: claudeProgram() });
  `;
}

/** Has node read TypeScript. */
export const READING_TYPESCRIPT = ['-r', join(__dirname, 'register-typescript.cjs')];

/** Those of a tree that are still there. */
export function survivors(tree: readonly ProcessEntry[]): ProcessEntry[] {
  return tree.filter(({ pid, startTime }) => {
    const now = readProcess(pid);
    return isRunning(now) && now.startTime === startTime;
  });
}

/** A new host for each test of the suite around it, and an end for every tree that a test left. */
export class SandboxTrees {
  host!: SandboxHost;
  private readonly started: SandboxedProcess[] = [];

  constructor() {
    beforeEach(() => (this.host = makeSandboxHost()));
    afterEach(async () => {
      for (const process of this.started.splice(0)) {
        process.killTree();
        await process.exited;
      }
      this.host.remove();
    });
  }

  /** It ends with the test. */
  add(process: SandboxedProcess): SandboxedProcess {
    this.started.push(process);
    return process;
  }

  /** Starts a script and waits until it says `ready`. */
  async start(
    script: string,
    more: Partial<SandboxRequest> = {},
    sandbox = this.host.sandbox,
  ): Promise<SandboxedProcess> {
    const command = ['/bin/bash', '-c', script];
    const process = this.add(sandbox.spawn({ profile: 'workspace', paths: this.host.paths, command, ...more }));
    let output = '';
    process.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await waitFor(() => output.includes('ready'), { what: 'the script is ready' });
    return process;
  }

  lockIsFree(): boolean {
    try {
      execFileSync('flock', ['-n', this.host.paths.lockFile, 'true']);
      return true;
    } catch {
      return false;
    }
  }
}
