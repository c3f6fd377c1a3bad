import type { Readable, Writable } from 'node:stream';

/**
 * `agent`: a turn, with the model's socket. `workspace`: git and files, without network, secrets or model. `transport`:
 * git over the network into a bare repository, through a proxy that leads to one host; nothing else is there.
 */
export type SandboxProfile = 'agent' | 'workspace' | 'transport';
export type SandboxKind = 'bubblewrap' | 'none';

/** Host paths of what a sandboxed process may see. All absolute. */
export interface SandboxPaths {
  workspace: string;
  config?: string;
  /** The project's bare objects, always read-only. */
  objects?: string;
  modelSocket?: string;
  workspaceReadOnly?: boolean;
  configReadOnly?: boolean;
  extraReadOnly?: ReadonlyArray<readonly [host: string, inside: string]>;
  extraReadWrite?: ReadonlyArray<readonly [host: string, inside: string]>;
  /** Paths inside that are empty and cannot be written, whatever is there. Their parents must be real directories. */
  sealed?: { directories: readonly string[]; files: readonly string[] };
  /** Held with flock from before the first instruction inside until the tree is gone. */
  lockFile?: string | undefined;
}

export interface SandboxRequest {
  profile: SandboxProfile;
  paths: SandboxPaths;
  /** Names things by their paths inside (`INSIDE`), also where there is no sandbox. */
  command: readonly string[];
  /** Everything the process gets besides the fixed base; nothing is inherited from this process. */
  env?: Readonly<Record<string, string>>;
  /** What an admin gives to the project's tools: by this way alone may a name that looks like a secret's come in. */
  variables?: Readonly<Record<string, string>>;
  /**
   * The way to the hosts that the project lists, through a proxy; without it there is no network. Not for the profile
   * `workspace`.
   */
  egress?: { socketPath: string; token: string };
  /** What the command can read, once, from the descriptor `SECRET_DESCRIPTOR`; for the profile `transport` alone. */
  secret?: string;
  /** What its directories may hold, where that is less than any sandbox's may. */
  diskBytes?: number;
}

export interface SandboxExit {
  /** Null when the tree was killed from outside. A signal inside shows as 128 + its number. */
  code: number | null;
  signal: string | null;
  /** The session's lock was held by another tree: nothing was started. */
  lockBusy?: boolean;
  /** Ended by the resource watch, for one of these. */
  oom?: boolean;
  diskFull?: boolean;
  tooManyProcesses?: boolean;
  tooManyWatches?: boolean;
  /** The sandbox itself did not come up; one sentence. Nothing of the command ran. */
  startFailure?: string;
}

/** The first that a shell can name and nothing else of a sandbox uses. */
export const SECRET_DESCRIPTOR = 5;

/** Why the resource watch ends a sandbox. */
export type ExceededLimit = 'oom' | 'diskFull' | 'tooManyProcesses' | 'tooManyWatches';

/** What a sandbox is ended for, if it was the resource watch that ended it. */
export function exceededLimit(exit: Pick<SandboxExit, ExceededLimit>): ExceededLimit | null {
  const all: readonly ExceededLimit[] = ['oom', 'diskFull', 'tooManyProcesses', 'tooManyWatches'];
  return all.find((limit) => exit[limit]) ?? null;
}

export interface SandboxedProcess {
  /** The outermost process: killing it ends the whole tree, and its row is what a reconciler sweeps. */
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Signals the command itself, not the sandbox around it. False when it is not there (yet, or no longer). */
  signalProgram(signal: NodeJS.Signals): boolean;
  /** Kills everything at once. Safe to call at any time and more than once. */
  killTree(): void;
  /** Kills everything in the sandbox but the command itself; true when nothing else is left. */
  killStrays(): Promise<boolean>;
  /** Resolves when no process of the tree is left; never rejects. */
  readonly exited: Promise<SandboxExit>;
  /**
   * Called, maybe often, while it has as many processes and threads as it may: programs inside then read "Resource
   * temporarily unavailable", which names no cause. Never called where the kernel does not count them.
   */
  onProcessLimit: ((limit: number) => void) | null;
}

export interface SandboxRunRequest extends SandboxRequest {
  stdin?: string | Buffer | undefined;
  /** For stdout and stderr each; what exceeds it is read and dropped. */
  maxOutputBytes: number;
  timeoutMs: number;
  /** Ends it at once. */
  stopped?: AbortSignal;
}

export interface SandboxRunResult extends SandboxExit {
  stdout: Buffer;
  stderr: Buffer;
  truncated: boolean;
  timedOut: boolean;
}

export type ProbeResult = { ok: true; kind: SandboxKind } | { ok: false; detail: string };

/** No sandbox could be put around the command, so it was not run. The message is one sentence for people. */
export class SandboxUnavailableError extends Error {}
