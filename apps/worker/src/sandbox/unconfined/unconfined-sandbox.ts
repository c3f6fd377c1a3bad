import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentProgram } from '../agent-program';
import { findProgram } from '../host/host-programs';
import { hostView } from './host-view';
import type { LimitsReport } from '../limits';
import { lockArgv } from '../host/lock-argv';
import { killOrphans } from '../process/orphan-killer';
import { trialDirectory } from '../host/trial-directory';
import { runToEnd } from '../process/run-to-end';
import type { Sandbox } from '../sandbox';
import { sandboxEnvironment } from '../host/sandbox-environment';
import {
  SandboxUnavailableError,
  type ProbeResult,
  type SandboxRequest,
  type SandboxRunRequest,
  type SandboxRunResult,
  type SandboxedProcess,
} from '../sandbox.types';
import { UnconfinedProcess } from './unconfined-process';

/**
 * Runs commands as plain children, for machines on which no sandbox is possible and nothing is at stake. It isolates
 * nothing: only the environment is built the same way, and trees are ended as far as they can be found.
 */
export class UnconfinedSandbox implements Sandbox {
  readonly kind = 'none';
  readonly limits: LimitsReport = { enforcedBy: 'nothing', limits: null };

  constructor(
    private readonly settings: {
      runDir: string;
      filesDir: string;
      searchPath?: string | undefined;
      program: AgentProgram;
    },
  ) {}

  spawn({ profile, paths, command, env = {}, variables }: SandboxRequest): SandboxedProcess {
    // Without a sandbox nothing makes it go through the proxy, which is what keeps it from private addresses.
    if (profile === 'transport')
      throw new SandboxUnavailableError(
        'Git addresses are fetched from inside a sandbox only, and this server runs without one. Clone the repository on the server, and make the project from that directory.',
      );
    const home = this.home();
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const { program: agent } = this.settings;
    const translate = hostView(paths, { program: [agent.inside, agent.locate().hostPath], home });
    const lock = paths.lockFile
      ? lockArgv(findProgram('flock', null, this.settings.searchPath ?? ''), paths.lockFile)
      : [];
    const [program = '', ...args] = [...lock, ...command.map(translate)];
    const base = sandboxEnvironment(agent, env, variables);
    const environment = Object.fromEntries(Object.entries(base).map(([name, value]) => [name, translate(value)]));
    environment['PATH'] = `${dirname(process.execPath)}:${base['PATH']}`;
    const child = spawn(program, args, { cwd: paths.workspace, env: environment, detached: true, stdio: 'pipe' });
    const { pid } = child;
    if (pid === undefined) {
      child.once('error', () => undefined);
      throw new SandboxUnavailableError(`${program} could not be started in ${paths.workspace}.`);
    }
    return new UnconfinedProcess(Object.assign(child, { pid }));
  }

  async run(request: SandboxRunRequest): Promise<SandboxRunResult> {
    return runToEnd(this.spawn(request), request);
  }

  /** Its own path, as a program that asks for its directory gets it. */
  workspaceInside(workspace: string): string {
    return realpathSync(workspace);
  }

  attachmentsInside(directory: string): string {
    return directory;
  }

  /** All of them have this home, and what they started has it from them. */
  killOrphans(): Promise<{ count: number; gone: boolean }> {
    return killOrphans(`HOME=${this.home()}`, 'environ');
  }

  trialDirectory(trial: string): string {
    return trialDirectory(this.settings.runDir, this.settings.filesDir, trial);
  }

  async probe(): Promise<ProbeResult> {
    try {
      this.settings.program.locate();
      accessSync(this.settings.runDir, constants.W_OK);
      return { ok: true, kind: 'none' };
    } catch (error) {
      return { ok: false, detail: error instanceof Error ? error.message : String(error) };
    }
  }

  private home(): string {
    return join(this.settings.filesDir, 'home');
  }
}
