import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { claudeProgram } from '../src/harness/claude-code/claude-program';
import { createSandbox, type SandboxSettings } from '../src/sandbox/setup/create-sandbox';
import type { Sandbox } from '../src/sandbox/sandbox';
import type { SandboxPaths, SandboxRunResult } from '../src/sandbox/sandbox.types';

/** bubblewrap started by root is no sandbox, so these tests need an ordinary user; the whole suite is run as one. */
export const describeAsOrdinaryUser = process.getuid?.() === 0 ? describe.skip : describe;

export interface SandboxHost {
  directory: string;
  runDir: string;
  sandbox: Sandbox;
  paths: SandboxPaths & { workspace: string; config: string; lockFile: string };
  /** Runs a shell script inside, with the profile for files. */
  sh(script: string, paths?: Partial<SandboxPaths>): Promise<SandboxRunResult>;
  /** stdout of a script that must succeed, without the last line's end. */
  text(script: string, paths?: Partial<SandboxPaths>): Promise<string>;
  another(settings: Partial<SandboxSettings>): Sandbox;
  remove(): void;
}

export function makeSandboxHost(settings: Partial<SandboxSettings> = {}): SandboxHost {
  const directory = mkdtempSync('/tmp/chi-sb-');
  const runDir = join(directory, 'run');
  const paths = {
    workspace: join(directory, 'workspace'),
    config: join(directory, 'config'),
    lockFile: join(directory, 'lock'),
  };
  for (const path of [runDir, paths.workspace, paths.config]) mkdirSync(path);
  const another = (more: Partial<SandboxSettings>): Sandbox =>
    createSandbox({
      mode: 'bubblewrap',
      production: true,
      runDir,
      searchPath: process.env['PATH'] ?? '',
      program: claudeProgram(),
      ...settings,
      ...more,
    });
  const sandbox = another({});
  const sh: SandboxHost['sh'] = (script, more) =>
    sandbox.run({
      profile: 'workspace',
      paths: { ...paths, lockFile: undefined, ...more },
      command: ['/bin/bash', '-c', script],
      maxOutputBytes: 1024 * 1024,
      timeoutMs: 30_000,
    });
  return {
    directory,
    runDir,
    sandbox,
    paths,
    sh,
    text: async (script, more) => {
      const result = await sh(script, more);
      if (result.code !== 0)
        throw new Error(`exit ${result.code} ${result.startFailure ?? ''}: ${result.stderr.toString()}`);
      return result.stdout.toString().trimEnd();
    },
    another,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
