import type { TurnErrorCode } from '@chirality/contracts';

/** Every code that a turn can end with has its own title. */
const TITLES_OF_TURNS: Record<TurnErrorCode, string> = {
  NO_RESULT: 'No result came',
  RESUME_FAILED: 'The earlier conversation was not found',
  MAX_TURNS: 'The limit of model turns was reached',
  PERMISSION_DENIED: 'A permission was denied',
  PERMISSION_EXPIRED: 'No answer in time',
  START_TIMEOUT: 'Claude did not start in time',
  SILENCE_TIMEOUT: 'Claude was silent for too long',
  TURN_TIMEOUT: 'The turn took too long',
  WORKER_LOST: 'The worker was lost',
  LINE_TOO_LONG: 'The output could not be read',
  RESOURCE_LIMIT: 'A limit of the sandbox was reached',
  OUT_OF_MEMORY: 'The memory limit was reached',
  DISK_FULL: 'The disk limit was reached',
  MODEL_AUTH_FAILED: 'The model’s service denied the key',
  MODEL_RATE_LIMITED: 'Rate limit reached',
  MODEL_OVERLOADED: 'The model’s service is overloaded',
  MODEL_UNREACHABLE: 'The model’s service cannot be reached',
  MODEL_REFUSED: 'The model declined',
  ATTACHMENT_UNSUPPORTED: 'A picture or document could not be used',
  PROMPT_TOO_LONG: 'The conversation is too long for the model',
  PROCESS_CRASHED: 'Claude crashed',
  BUDGET_EXCEEDED: 'The budget is used up',
  SANDBOX_UNAVAILABLE: 'No sandbox is available',
  WORKSPACE_UNAVAILABLE: 'The workspace cannot be reached',
  HARNESS_FAILURE: 'Claude Code failed',
  SETUP_FAILED: 'The set-up script failed',
  POLICY_BYPASSED: 'A tool ran that was not allowed',
  START_REFUSED: 'Claude Code was not started',
  SCHEMA_NOT_FOLLOWED: 'The answer does not follow its schema',
  INTERRUPTED: 'The turn was stopped from outside',
};

/** Codes that come before a turn, and so can also end one. */
const TITLES: Record<string, string> = {
  ...TITLES_OF_TURNS,
  FORBIDDEN: 'No longer allowed',
  PERSONA_NOT_FOUND: 'The persona no longer exists',
  WORKING_ROOT_INACCESSIBLE: 'The project’s files cannot be reached',
  QUEUE_UNAVAILABLE: 'The queue cannot be reached',
  DATABASE_UNAVAILABLE: 'The database cannot be reached',
  RATE_LIMITED: 'Too much at once',
  MESSAGE_TOO_LARGE: 'The message is too large',
  ATTACHMENT_TOO_LARGE: 'The files are too large',
  WORKSPACE_IN_USE: 'The shared workspace is in use',
  TURN_IN_PROGRESS: 'A turn is in progress',
  SCHEMA_INVALID: 'The schema of the answer was not taken',
  EXPIRED: 'Perhaps not sent',
};

/** A short name for an error's code; the detail beside it says what to do. */
export function errorTitle(code: string): string {
  return TITLES[code] ?? 'Something went wrong';
}
