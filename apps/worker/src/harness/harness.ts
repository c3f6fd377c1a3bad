import type { Effort, HarnessName, OutputSchema, PermissionMode, TurnKind } from '@chirality/contracts';
import type { ToolNetwork } from '@chirality/domain';
import type { Sandbox } from '../sandbox/sandbox';
import type { SandboxedProcess, SandboxExit } from '../sandbox/sandbox.types';
import type { HarnessOutput, RunOutcome } from './harness-output';

/** Of a line that is no record, so many characters are handed on, for a log. */
export const NOISE_SAMPLE_CHARS = 500;

/** What a turn asks of the program that serves it. */
export type HarnessSpec = {
  model: string;
  /** Left to the program where the options name none. */
  effort?: Effort;
  permissionMode: PermissionMode;
  maxTurns: number;
  tools: string[] | 'default';
  disallowedTools: string[];
  /** What the project lets tools reach. */
  network: ToolNetwork;
  /** What the answer has to be; a process that has one has it for good. */
  outputSchema?: OutputSchema;
  /** The conversation to continue; null starts a new one. */
  resume: string | null;
};

/** What of it can be changed in a process while it waits; the rest made it. */
export type Tuning = Pick<HarnessSpec, 'model' | 'permissionMode'>;

/** Why a process was not switched. */
export type RetuneFailure = 'retune_refused' | 'retune_unanswered';

/** What is started: paths are those inside the sandbox, and no secret is in `args`. */
export type HarnessCommand = {
  program: string;
  args: string[];
  env: Record<string, string>;
  promptFile: string;
  /** What the program would load from where the agent may write: it is to be found empty. */
  sealed: { directories: readonly string[]; files: readonly string[] };
};

export type StartedHarness = { process: HarnessProcess; command: HarnessCommand };

export interface HarnessEnvironment {
  gatewayToken: string;
  author: { name: string; email: string };
  /** As it was found; what the program says of itself is compared with it. */
  version: string | null;
  backlog: Backlog;
  /** Puts the sandbox around it. What this throws, `start` throws. */
  spawn(command: HarnessCommand): SandboxedProcess;
}

/** A picture or document that goes with a message. */
export interface MessageBlock {
  type: 'image' | 'document';
  mediaType: string;
  /** As people know it. */
  name: string;
  data: Buffer;
}

/** A way to run Claude Code for a session. What it tells and is asked is the same for all of them. */
export interface Harness {
  readonly name: HarnessName;
  /** The names in its configuration directory that a conversation consists of; the rest is not to outlive a process. */
  readonly keptConfig: readonly string[];
  /** The version that is installed; null when it is not. Never rejects. */
  findVersion(sandbox: Sandbox): Promise<string | null>;
  /** The arguments of a program started for it, to run it by hand. */
  argumentsFor(spec: HarnessSpec): string[];
  start(spec: HarnessSpec, environment: HarnessEnvironment): StartedHarness;
}

/**
 * One running program. It serves one turn at a time: `serve` says which, and everything read goes there until the next
 * call. It knows nothing of turns, permissions or the database.
 */
export interface HarnessProcess {
  readonly sandboxed: SandboxedProcess;
  /** Where the program's requests are answered. */
  readonly channel: AnswerChannel;
  /** Resolves once, when the process is gone and what it wrote has been handed over. */
  readonly exited: Promise<SandboxExit>;
  /** From now on this turn is served. Call between turns only. */
  serve(sink: TurnSink): void;
  /** Asks for the callback before every tool. Once, before the first message. */
  initialize(): void;
  /**
   * Switches a waiting process to another model and mode before its next turn is served. Null once the program
   * has confirmed; otherwise its setting is unknown, and it must not be used again.
   */
  retune(changes: Partial<Tuning>): Promise<RetuneFailure | null>;
  /** Sends the turn's message verbatim, after what goes with it; a compaction is a separate operation. */
  say(kind: TurnKind, message: string, blocks?: readonly MessageBlock[]): void;
  /** Asks it to end the turn that it serves. */
  interrupt(): void;
  /** Ends its input: after its result, it exits. */
  endInput(): void;
  /** What the stream amounts to once the process ended, or for a process that lives on after its result. */
  outcome(exit: SandboxExit | null, stderr: string): RunOutcome;
}

/** Answers to requests of the program, which are those of Claude Code's control protocol whatever carries them. */
export interface AnswerChannel {
  /** False when the program can no longer be spoken to. */
  readonly isOpen: boolean;
  respond(requestId: string, response: Record<string, unknown>): boolean;
  /** Answers that we failed: the tool then does not run. */
  respondError(requestId: string, error: string): boolean;
}

export type ControlAnswer = { ok: true; response: Record<string, unknown> } | { ok: false; error: string };

/** What a process tells the turn that it serves. All calls are synchronous and in the order of the stream. */
export interface TurnSink {
  /** Bytes of stdout exactly as they came, before anything is parsed. */
  raw(chunk: Buffer): void;
  output(output: HarnessOutput): void;
  stderr(chunk: Buffer): void;
  noise(reason: string, sample: string): void;
  lineTooLong(bytes: number): void;
  /** Whether we read what the program writes, or hold it back because it cannot be stored. */
  reading(reading: boolean): void;
}

/** Lets the reader wait while what was read cannot be stored. */
export interface Backlog {
  isFull(): boolean;
  whenDrained(): Promise<void>;
}
