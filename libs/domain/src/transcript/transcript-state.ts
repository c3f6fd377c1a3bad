import type {
  Attachment,
  FinalTurnStatus,
  OutputSchema,
  PaidBy,
  PushProposal,
  TokenUsage,
  Timings,
  TurnError,
  TurnKind,
  TurnStatus,
} from '@chirality/contracts';

/** What every item of a transcript has. `key` is unique in the session and the same in every replay. */
type ItemBase = {
  key: string;
  at: string;
  /** The tool use of the sub-agent that this belongs to; null for the session's own conversation. */
  parent: string | null;
};

export type TextItem = ItemBase & { type: 'text'; messageId: string; block: number; text: string; done: boolean };
export type ThinkingItem = ItemBase & {
  type: 'thinking';
  messageId: string;
  block: number;
  text: string;
  done: boolean;
  doneAt: string | null;
};

/** `preparing`: its input is still streaming. `unfinished`: the turn ended, or was tried again, before its result. */
export type ToolStatus = 'preparing' | 'running' | 'succeeded' | 'failed' | 'unfinished';
/** A person's verdict on a call with an unknown outcome. */
export type ToolWord = { outcome: 'failed' | 'succeeded' | 'abort'; note: string | null; by: string; at: string };
export type ToolItem = ItemBase & {
  type: 'tool';
  toolUseId: string;
  name: string | null;
  input: unknown;
  mutating: boolean;
  status: ToolStatus;
  /** How much of the input has streamed so far, while `preparing`. */
  partialInput: string | null;
  progressText: string | null;
  startedAt: string;
  durationMs: number | null;
  content: unknown;
  patch: unknown;
  truncated: { bytes: number; href: string } | null;
  permissionKey: string | null;
  word: ToolWord | null;
};

export type PermissionAnswer = {
  outcome: 'allowed' | 'denied' | 'expired' | 'run_ended';
  scope: 'once' | 'pattern' | 'tool' | null;
  by: { userId: string; name: string } | null;
  reason: string | null;
  /** To a question, by its text. */
  answers: Record<string, { chosen: string[]; own: string }> | null;
  /** The rule or switch that decided in place of a person, and who made it. */
  policy: { rule: string | null; autoApprove: boolean; by: { userId: string; name: string } | null } | null;
  at: string;
};
export type PermissionItem = ItemBase & {
  type: 'permission';
  permissionId: string;
  kind: 'tool' | 'question' | 'plan';
  toolUseId: string;
  tool: string;
  input: unknown;
  reason: string;
  /** All of `patterns` in one text. */
  pattern: string | null;
  /** The rules that are stored when the pattern is allowed. */
  patterns: string[];
  /** The sub-agent that asks; null for the conversation itself. */
  agent: { type: string; task: string } | null;
  /** A push that the model proposes; null for every other call. */
  proposal: PushProposal | null;
  expiresAt: string | null;
  answer: PermissionAnswer | null;
};

export type TodoEntry = { id: string; text: string; status: 'pending' | 'in_progress' | 'completed' };
export type TodoItem = ItemBase & { type: 'todo'; items: TodoEntry[] };
export type NoticeItem = ItemBase & {
  type: 'notice';
  level: 'info' | 'warning' | 'error';
  code: string;
  text: string;
  /** A unified diff that belongs to it: what a turn that was cut off had changed by then. */
  patch: string | null;
  /** What a program said that it is about: the project's set-up script. */
  output: string | null;
};
export type ErrorItem = ItemBase & { type: 'error'; code: string; detail: string; retryable: boolean };
export type CompactionItem = ItemBase & {
  type: 'compaction';
  trigger: string;
  preTokens: number | null;
  postTokens: number | null;
};
export type AttemptItem = ItemBase & { type: 'attempt'; attempt: number };
export type ForkItem = ItemBase & { type: 'fork'; claudeSessionId: string; forkedFrom: string };
export type SessionEndItem = ItemBase & { type: 'session-end'; reason: string };
/** A person changed the session's own options: all of them as they are from the next turn on. */
export type OptionsItem = ItemBase & { type: 'options'; byId: string | null; options: Record<string, unknown> };
export type BudgetItem = ItemBase & { type: 'budget'; percent: number; spentUsd: string; limitUsd: string };
export type HookView = {
  name: string;
  toolUseId: string | null;
  /** What a tool call got for an answer; null where the program was let pass. */
  decision: 'allow' | 'ask' | 'deny' | 'block' | null;
  agent: string | null;
  elapsedMs: number;
};
/** Hooks of the program that followed each other. `hooks` are the first of them, `count` is how many there were. */
export type HooksItem = ItemBase & { type: 'hooks'; hooks: HookView[]; count: number };
export type GapItem = ItemBase & { type: 'gap'; from: number; to: number; reason: string };
/** The place of something that was taken back. It keeps positions stable and is never shown. */
export type VoidItem = ItemBase & { type: 'void' };

export type TranscriptItem =
  | TextItem
  | ThinkingItem
  | ToolItem
  | PermissionItem
  | TodoItem
  | NoticeItem
  | ErrorItem
  | CompactionItem
  | AttemptItem
  | ForkItem
  | SessionEndItem
  | OptionsItem
  | BudgetItem
  | HooksItem
  | GapItem
  | VoidItem;

/** The model's service refused and `claude` waits to ask again. */
export type RetryView = {
  attempt: number;
  maxRetries: number;
  delayMs: number;
  status: number | null;
  error: string;
  at: string;
};

export type ChangedFiles = { paths: string[]; additions: number; deletions: number };

export type TurnView = {
  /** A turn's id; for facts that belong to no turn, a separate id with kind `system`. */
  id: string;
  kind: TurnKind | 'system';
  status: TurnStatus;
  authorId: string | null;
  authorName: string | null;
  authorClass: 'human' | 'agent' | null;
  clientId: string | null;
  message: string | null;
  /** What went with the message. */
  attachments: Attachment[];
  /** What the answer has to be, where a schema came with the message. */
  outputSchema: OutputSchema | null;
  position: number | null;
  attempt: number;
  worker: string | null;
  process: 'cold' | 'ahead' | 'parked' | null;
  /** Whose key pays; null before it began, and where that was not told. */
  paidBy: PaidBy | null;
  model: string | null;
  queuedAt: string;
  startedAt: string | null;
  endedAt: string | null;
  /** In the order in which they began, sub-agents' items included. */
  items: TranscriptItem[];
  /** Where an item is in `items`, by what later events call it. */
  index: Record<string, number>;
  /** Unanswered permissions by their id, oldest first. */
  openPermissions: string[];
  retry: RetryView | null;
  /** What is known of it; null where there is a cost and nothing is known of it. */
  costUsd: string | null;
  /** Messages of models without a price, which are missing from `costUsd`. */
  unpricedMessages: number;
  /** Part of it is counted from what came of answers that were cut. */
  isCostEstimated: boolean;
  usage: TokenUsage | null;
  timings: Timings | null;
  /** What the worker found changed in the workspace at the turn's end, by anyone; null while it said nothing. */
  changes: ChangedFiles | null;
  error: TurnError | null;
  /** The person who stopped it. */
  stoppedBy: { userId: string; name: string } | null;
  degraded: boolean;
  resultText: string | null;
  /** The answer by that schema. */
  structured: Record<string, unknown> | null;
};

export type InitView = {
  claudeSessionId: string;
  model: string;
  tools: string[];
  cwd: string;
  permissionMode: string;
  claudeCodeVersion: string;
};

/**
 * A session's events folded into what a person reads. Plain JSON: it can be sent and stored as it is. The turns may be
 * the newest only (`firstEventId`); everything else is always of the whole session.
 */
export type TranscriptState = {
  version: 1;
  /** 1 where all turns are here; else the event that the first of them begins with. */
  firstEventId: number;
  /** Every event up to this id is in here, and none after it. */
  lastEventId: number;
  turns: TurnView[];
  turnIndex: Record<string, number>;
  /** The turn that has begun and not ended, if there is one. */
  activeTurnId: string | null;
  init: InitView | null;
  todos: TodoEntry[];
  /** The last event that says which messages wait; 0 before the first. */
  queueEventId: number;
  /** The sum of what is known of the turns' costs. */
  costUsd: string;
  /** Messages that are missing from it. */
  unpricedMessages: number;
  /** What `session:update` events changed, the latest value of each field. */
  changes: Record<string, unknown>;
  endedReason: string | null;
  /** The last event with a person's verdict on a call with an unknown outcome; 0 before the first. */
  lastOutcomeEventId: number;
};

export function emptyTranscript(): TranscriptState {
  return {
    version: 1,
    firstEventId: 1,
    lastEventId: 0,
    turns: [],
    turnIndex: {},
    activeTurnId: null,
    init: null,
    todos: [],
    queueEventId: 0,
    costUsd: '0',
    unpricedMessages: 0,
    changes: {},
    endedReason: null,
    lastOutcomeEventId: 0,
  };
}

const FINAL: readonly FinalTurnStatus[] = ['completed', 'failed', 'interrupted', 'timed_out', 'cancelled', 'lost'];

/** True once `turn:end` was seen: nothing more will be added to this turn. */
export function hasEnded(turn: TurnView): boolean {
  return (FINAL as readonly string[]).includes(turn.status);
}
