import { BubblewrapLauncher } from './bubblewrap-launcher';
import { INSIDE } from './inside-paths';
import { DEFAULT_LIMITS, type SandboxLimits } from './limits';
import { readClaudeVersion } from './claude-version';
import { probeWith } from './probe';
import { trialDirectory } from './run-files';
import { runToEnd } from './run-to-end';
import type { Sandbox } from './sandbox';
import { UnconfinedSandbox } from './unconfined-sandbox';
import { SandboxUnavailableError } from './sandbox.types';

export interface SandboxSettings {
  mode: 'bubblewrap' | 'none';
  production: boolean;
  /** A short directory, for sockets and the files that sandboxes are started with. */
  runDir: string;
  /** Where those files are, when not in `runDir`: what was started with them is known by them as this worker's (`killOrphans`). */
  filesDir?: string;
  /** PATH of the worker, to find bwrap, choom, nice, prlimit and flock. */
  searchPath?: string | undefined;
  claudePath?: string | null;
  bubblewrapPath?: string | null;
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
    claudeVersion: () => readClaudeVersion(trialDirectory(settings.runDir, filesDir, 'version'), run),
    killOrphans: () => launcher.killOrphans(),
    probe: () =>
      probeWith(trialDirectory(settings.runDir, filesDir, 'probe'), (request) => {
        launcher.prepare();
        return run(request);
      }),
  };
}
