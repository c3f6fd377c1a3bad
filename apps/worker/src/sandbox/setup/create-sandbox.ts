import type { AgentProgram } from '../agent-program';
import { BubblewrapLauncher } from '../bubblewrap/bubblewrap-launcher';
import { INSIDE } from '../inside-paths';
import { DEFAULT_LIMITS, type SandboxLimits } from '../limits';
import { probeWith } from './probe';
import { trialDirectory } from '../host/trial-directory';
import { runToEnd } from '../process/run-to-end';
import type { Sandbox } from '../sandbox';
import { UnconfinedSandbox } from '../unconfined/unconfined-sandbox';
import { SandboxUnavailableError } from '../sandbox.types';

export interface SandboxSettings {
  mode: 'bubblewrap' | 'none';
  production: boolean;
  /** A short directory, for sockets and the files that sandboxes are started with. */
  runDir: string;
  /**
   * Where those files are, when not in `runDir`: what was started with them is known by them as this worker's
   * (`killOrphans`).
   */
  filesDir?: string;
  /** PATH of the worker, to find bwrap, choom, nice, prlimit and flock. */
  searchPath?: string | undefined;
  /** What every sandbox shows. */
  program: AgentProgram;
  bubblewrapPath?: string | null;
  /** Every authority whose certificates programs accept that reach hosts; null: the host's own. */
  authorities?: string | null;
  limits?: Partial<SandboxLimits>;
}

/** Throws only when no sandbox is asked for in production; a host that lacks something shows in `probe()`. */
export function createSandbox(settings: SandboxSettings): Sandbox {
  const filesDir = settings.filesDir ?? settings.runDir;
  if (settings.mode === 'none') {
    if (settings.production) throw new SandboxUnavailableError('CHIRALITY_SANDBOX=none is refused in production.');
    return new UnconfinedSandbox({ ...settings, filesDir });
  }
  const limits = { ...DEFAULT_LIMITS, ...settings.limits };
  const launcher = new BubblewrapLauncher({ ...settings, searchPath: settings.searchPath ?? '', filesDir, limits });
  const run: Sandbox['run'] = async (request) => runToEnd(launcher.spawn(request), request);
  return {
    kind: 'bubblewrap',
    limits: { enforcedBy: 'prlimit+watch', limits },
    spawn: (request) => launcher.spawn(request),
    run,
    workspaceInside: () => INSIDE.workspace,
    attachmentsInside: () => INSIDE.attachments,
    trialDirectory: (trial) => trialDirectory(settings.runDir, filesDir, trial),
    killOrphans: () => launcher.killOrphans(),
    probe: () =>
      probeWith(settings.program, trialDirectory(settings.runDir, filesDir, 'probe'), (request) => {
        launcher.prepare();
        return run(request);
      }),
  };
}
