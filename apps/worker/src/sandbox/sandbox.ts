import type { LimitsReport } from './limits';
import type {
  ProbeResult,
  SandboxKind,
  SandboxRequest,
  SandboxRunRequest,
  SandboxRunResult,
  SandboxedProcess,
} from './sandbox.types';

/** Starts commands so that they see and reach only what the request names. One per worker. */
export interface Sandbox {
  readonly kind: SandboxKind;
  /** How memory, processes, disk and time are limited here; for health and operators. */
  readonly limits: LimitsReport;
  /** Throws SandboxUnavailableError when the host lacks something; never falls back to running without a sandbox. */
  spawn(request: SandboxRequest): SandboxedProcess;
  /** Runs a command to its end. The promise rejects only with SandboxUnavailableError. */
  run(request: SandboxRunRequest): Promise<SandboxRunResult>;
  /** The absolute path at which what runs for a workspace sees it; the workspace exists. */
  workspaceInside(workspace: string): string;
  /** The same for a session's directory of attached files. */
  attachmentsInside(directory: string): string;
  /**
   * A directory for runs that belong to no session, kept from one to the next and over restarts; it may not be there
   * yet.
   */
  trialDirectory(trial: string): string;
  /**
   * Ends what an earlier process left running of the sandboxes that it started with the same `filesDir`; to be called
   * where no other worker uses that directory, before anything is started. Resolves with how many processes there were,
   * within five seconds. `gone`: none of them is left.
   */
  killOrphans(): Promise<{ count: number; gone: boolean }>;
  /** Proves the real command line on this host; looks at the host each time. Never rejects. */
  probe(): Promise<ProbeResult>;
}
