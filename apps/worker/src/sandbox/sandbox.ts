import type { ProbeResult, SandboxKind, SandboxRequest, SandboxRunRequest, SandboxRunResult, SandboxedProcess } from './sandbox.types';

/** Starts commands so that they see and reach only what the request names. One per worker. */
export interface Sandbox {
  readonly kind: SandboxKind;
  /** Throws SandboxUnavailableError when the host lacks something; never falls back to running without a sandbox. */
  spawn(request: SandboxRequest): SandboxedProcess;
  /** Runs a command to its end. The promise rejects only with SandboxUnavailableError. */
  run(request: SandboxRunRequest): Promise<SandboxRunResult>;
  /** Proves the real command line on this host; looks at the host anew each time. Never rejects. */
  probe(): Promise<ProbeResult>;
}
