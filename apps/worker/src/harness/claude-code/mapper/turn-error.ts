import type { TurnError, TurnErrorCode } from '@chirality/contracts';

/** Why the program, or the model's service behind it, could not continue. */
type FailureFacts = {
  terminalReason: string | null;
  subtype: string | null;
  stopReason: string | null;
  /** HTTP status of the model's service; null when it did not answer. */
  apiStatus: number | null;
  /** The class that the program gave the failure of its last request. */
  apiErrorClass: string | null;
  refused: boolean;
  messages: readonly string[];
};

const BY_REASON: ReadonlyMap<string, TurnErrorCode> = new Map<string, TurnErrorCode>([
  ['max_turns', 'MAX_TURNS'],
  ['error_max_turns', 'MAX_TURNS'],
  ['budget_exhausted', 'BUDGET_EXCEEDED'],
  ['error_max_budget_usd', 'BUDGET_EXCEEDED'],
  ['aborted_streaming', 'INTERRUPTED'],
  ['aborted_tools', 'INTERRUPTED'],
  ['prompt_too_long', 'PROMPT_TOO_LONG'],
  ['image_error', 'ATTACHMENT_UNSUPPORTED'],
  ['error_max_structured_output_retries', 'SCHEMA_NOT_FOLLOWED'],
]);

const BY_STATUS: ReadonlyMap<number, TurnErrorCode> = new Map<number, TurnErrorCode>([
  [401, 'MODEL_AUTH_FAILED'],
  [403, 'MODEL_AUTH_FAILED'],
  [408, 'MODEL_UNREACHABLE'],
  [413, 'PROMPT_TOO_LONG'],
  [429, 'MODEL_RATE_LIMITED'],
  [503, 'MODEL_OVERLOADED'],
  [529, 'MODEL_OVERLOADED'],
]);

const BY_CLASS: ReadonlyMap<string, TurnErrorCode> = new Map<string, TurnErrorCode>([
  ['authentication_failed', 'MODEL_AUTH_FAILED'],
  ['oauth_org_not_allowed', 'MODEL_AUTH_FAILED'],
  ['rate_limit', 'MODEL_RATE_LIMITED'],
  ['overloaded', 'MODEL_OVERLOADED'],
  ['server_error', 'MODEL_UNREACHABLE'],
]);

const RETRYABLE: ReadonlySet<TurnErrorCode> = new Set<TurnErrorCode>([
  'MODEL_RATE_LIMITED',
  'MODEL_OVERLOADED',
  'MODEL_UNREACHABLE',
  'PROCESS_CRASHED',
  'NO_RESULT',
]);

const ADVICE: Partial<Record<TurnErrorCode, string>> = {
  MODEL_AUTH_FAILED: 'The model’s service did not accept the key. Have an admin check the key and its account.',
  MODEL_RATE_LIMITED: 'The model’s service limits how much may be asked at the moment. Try again later.',
  MODEL_OVERLOADED: 'The model’s service is overloaded. Try again in a few minutes.',
  MODEL_UNREACHABLE:
    'The model’s service could not be reached or gave no usable answer. Try again; if it stays so, have an operator check the connection.',
  MODEL_REFUSED: 'The model declined to answer this. Rephrase the message or choose another model.',
  ATTACHMENT_UNSUPPORTED:
    'The model’s service could not use a picture or document. It is left out of the conversation from now on: send your message again.',
  PROMPT_TOO_LONG: 'The conversation no longer fits the model. Compact it, or start a fresh one.',
  SCHEMA_NOT_FOLLOWED:
    'The model did not answer by the schema of this turn. Its text is kept; simplify the schema, or ask again.',
  MAX_TURNS: 'The turn used all the steps it may take. Send a message to continue, or raise maxTurns.',
  BUDGET_EXCEEDED: 'The turn reached its budget. Raise maxBudgetUsd, or continue with a smaller step.',
  RESUME_FAILED: 'The conversation to continue no longer exists.',
  NO_RESULT: 'Claude Code ended without a result. The text so far is kept; send a message to continue.',
  PROCESS_CRASHED: 'Claude Code ended unexpectedly. The text so far is kept; send a message to continue.',
  HARNESS_FAILURE: 'Claude Code could not do this.',
  INTERRUPTED: 'The turn was interrupted.',
};

/** Where the class of the failure says better what to do than our code does. */
const ADVICE_BY_CLASS: ReadonlyMap<string, string> = new Map([
  [
    'model_not_found',
    'The model’s service does not know this model, or the key may not use it. Choose another model for the session.',
  ],
]);

/** Diagnostics that the program writes for its own makers. */
const INTERNAL = /^\[ede_diagnostic\]/;
const AT_THE_TERMINAL = /\s*Run (--|\/)model to pick a different model\./g;
/** Advice about the address that the program was given, which is ours; people cannot check it. */
const OUR_GATEWAY = /\s*[^.!?]*\(model\.gateway\)\./g;
const RESUME_MISSING = /No conversation found|does not match any session/i;
const DETAIL_CHARS = 600;

/** The one rule from what the program reports of a failure to our code. */
export function failureCode(facts: FailureFacts): TurnErrorCode {
  // Also of a conversation whose pictures are too much together.
  if (facts.terminalReason === 'image_error' && facts.apiStatus === 413) return 'PROMPT_TOO_LONG';
  const named = BY_REASON.get(facts.terminalReason ?? '') ?? BY_REASON.get(facts.subtype ?? '');
  if (named) return named;
  if (facts.messages.some((message) => RESUME_MISSING.test(message))) return 'RESUME_FAILED';
  if (facts.refused || facts.stopReason === 'refusal') return 'MODEL_REFUSED';
  // An empty account comes as 400, like a request that was wrong: only the class tells them apart.
  if (facts.apiErrorClass === 'billing_error') return 'MODEL_AUTH_FAILED';
  if (facts.apiStatus !== null)
    return BY_STATUS.get(facts.apiStatus) ?? (facts.apiStatus >= 500 ? 'MODEL_UNREACHABLE' : 'HARNESS_FAILURE');
  const byClass = BY_CLASS.get(facts.apiErrorClass ?? '');
  if (byClass) return byClass;
  // Without a status nothing of the service's answer could be read.
  return facts.terminalReason === 'api_error' && facts.apiErrorClass === 'unknown'
    ? 'MODEL_UNREACHABLE'
    : 'HARNESS_FAILURE';
}

export function isRetryable(code: TurnErrorCode): boolean {
  return RETRYABLE.has(code);
}

/** What to do, then what the program said, without its internals. */
export function turnError(
  code: TurnErrorCode,
  messages: readonly string[] = [],
  errorClass: string | null = null,
): TurnError {
  const said = messages
    .filter((message) => message.trim() !== '' && !INTERNAL.test(message))
    .join('\n')
    .replace(OUR_GATEWAY, '')
    .replace(AT_THE_TERMINAL, '');
  const quoted = said.length > DETAIL_CHARS ? `${said.slice(0, DETAIL_CHARS)}…` : said;
  return {
    code,
    detail: [ADVICE_BY_CLASS.get(errorClass ?? '') ?? ADVICE[code] ?? '', quoted].filter(Boolean).join(' '),
  };
}

/** What a run amounts to that wrote no result line, from how its process ended. `started`: it had announced itself. */
export function missingResultCode(
  exit: { code: number | null; signal: string | null; stderr?: string },
  started: boolean,
): TurnErrorCode {
  if (RESUME_MISSING.test(exit.stderr ?? '')) return 'RESUME_FAILED';
  if (exit.signal !== null) return 'PROCESS_CRASHED';
  if (exit.code === null || exit.code === 0) return 'NO_RESULT';
  return started || (exit.stderr ?? '').trim() === '' ? 'PROCESS_CRASHED' : 'HARNESS_FAILURE';
}
