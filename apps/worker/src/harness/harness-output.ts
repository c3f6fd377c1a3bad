import type { EventKind, EventPayload, PermissionDenial, TokenUsage, TurnError } from '@chirality/contracts';
import type { ControlAnswer } from './harness';

/** Kinds that the stream itself is the source of. Permissions, costs and the ends of turns are not among them. */
export type HarnessEventKind = Extract<
  EventKind,
  | 'session:init'
  | 'chat:delta'
  | 'chat:complete'
  | 'chat:withdrawn'
  | 'thinking:delta'
  | 'thinking:complete'
  | 'tool:start'
  | 'tool:progress'
  | 'tool:result'
  | 'todo:update'
  | 'turn:retry'
  | 'turn:notice'
  | 'compaction'
  | 'hook:event'
>;

/** An event as the program said it, unmasked. */
export type HarnessEvent = { [K in HarnessEventKind]: { kind: K; payload: EventPayload<K> } }[HarnessEventKind];

/** What the program says of itself when it begins. */
export type InitReport = {
  claudeSessionId: string;
  /** The session that was asked for, when the program continued in another one. */
  forkedFrom: string | null;
  model: string | null;
  version: string | null;
  permissionMode: string | null;
  cwd: string | null;
  tools: string[];
};

export type HarnessOutput =
  /** `bytes`: about how large the content of a tool's result is, to decide where it is stored. */
  | { type: 'event'; event: HarnessEvent; bytes?: number }
  /** Once per turn, and again when something in it changed. */
  | { type: 'init'; init: InitReport }
  /** The first text or thinking of the answer. */
  | { type: 'first-text' }
  | { type: 'tool-started'; toolUseId: string; name: string; mutating: boolean }
  | { type: 'tool-ended'; toolUseId: string; ms: number }
  /** By whose word the tool ran, or did not; `unsaid` when it ran and the program does not tell. */
  | { type: 'tool-ruling'; toolUseId: string; name: string; ruling: 'accepted' | 'rejected' | 'unsaid' }
  /** The program changed its permission mode; `asAsked`: to the one that was asked for. */
  | { type: 'permission-mode'; asAsked: boolean }
  | { type: 'control-request'; requestId: string; request: Record<string, unknown> }
  | { type: 'control-response'; requestId: string; answer: ControlAnswer }
  | { type: 'control-cancel'; requestId: string }
  /** What carries our answers would have started something else; `differences` name it, without any value. */
  | { type: 'start-refused'; differences: readonly string[] }
  | { type: 'result'; result: RunResult }
  /** Something unknown, repeated or broken. Counted, never fatal. */
  | { type: 'ignored'; what: string };

export type ModelUsage = { model: string; usage: TokenUsage; costUsd: string };

export type OpenTool = { toolUseId: string; name: string; mutating: boolean };

/**
 * Why the token counts of a report are not to be relied on. `less-by-model`: there are more cache tokens in all than by
 * model; the larger number was taken. `too-large`: a count is above `MAX_TOKEN_COUNT`; it was taken as 0.
 */
export type UsageDoubt = 'less-by-model' | 'too-large';

/** What a turn amounts to so far, by what the program wrote. An exit code is no part of it. */
export type RunReport = {
  outcome: 'completed' | 'failed' | 'interrupted';
  error: TurnError | null;
  /** The same call could succeed later. Whether it is made again is not decided here. */
  retryable: boolean;
  /** The answer: blocks of the main conversation, without what was withdrawn and without sub-agents. */
  text: string;
  /** The answer may not be whole. */
  degraded: boolean;
  /** What the program hands over as the answer by the turn's schema; whether it is by it is not decided here. */
  structured: Record<string, unknown> | null;
  denials: PermissionDenial[];
  /** What the program says that this turn cost, sub-agents included; null when it said nothing. */
  reportedCostUsd: string | null;
  reportedUsage: TokenUsage;
  reportedByModel: ModelUsage[];
  usageDoubt?: UsageDoubt;
  /** Null until the program named its session, and when it could not find the one asked for. */
  claudeSessionId: string | null;
  model: string | null;
  version: string | null;
  terminalReason: string | null;
  numTurns: number;
  /** Tools that began and never answered. */
  openTools: OpenTool[];
  mutatingToolStarted: boolean;
};

export type RunResult = RunReport & { resultIndex: number; queuedTurnCount: number };

/** What `finish` says when the process ended, or for a process that lives on. */
export type RunOutcome = RunReport & {
  /** A result line was read in this turn. */
  hasResult: boolean;
  /** Messages of which something can be seen: what a second attempt would have to take back. */
  streamedMessageIds: string[];
  /** How often something was ignored in this turn, by what it was. */
  ignored: ReadonlyMap<string, number>;
};

/** What the run was asked to be; what `init` reports is compared with it. */
export type AskedFor = {
  cwd?: string | null;
  permissionMode?: string | null;
  /** A full model name or an alias. */
  model?: string | null;
  tools?: readonly string[] | 'default' | null;
  version?: string | null;
};
