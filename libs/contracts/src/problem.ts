import { z } from 'zod';

/** Codes that answer an HTTP request or a socket call, with the status that each one has. */
export const PROBLEM_STATUS = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  TOKEN_EXPIRED: 401,
  TOKEN_REVOKED: 401,
  /** The token does not name the command, or what it is about. */
  TOKEN_SCOPE: 403,
  CRITICAL_CLAIM_UNKNOWN: 403,
  /** No person has answered yet: `intervalSeconds` says when to ask again. */
  DEVICE_CODE_PENDING: 400,
  /** Too old, used already, or never one. */
  DEVICE_CODE_EXPIRED: 400,
  /** Only a person answers for an agent. */
  AGENT_MAY_NOT_APPROVE: 403,
  /**
   * The password was made for the first sign-in only. Besides changing it only `GET /v1/me` and signing out are open.
   */
  PASSWORD_CHANGE_REQUIRED: 403,
  NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  PROJECT_NOT_FOUND: 404,
  PERSONA_NOT_FOUND: 404,
  WORKING_ROOT_INACCESSIBLE: 404,
  VALIDATION_FAILED: 400,
  /** The first frame of a connection says what the client speaks, and who it is. */
  HANDSHAKE_REQUIRED: 400,
  HANDSHAKE_VERSION_MISMATCH: 400,
  MESSAGE_EMPTY: 400,
  MESSAGE_TOO_LARGE: 413,
  ATTACHMENT_TOO_LARGE: 413,
  /** Not taken as it is, or a picture or document that the model's service refused. */
  ATTACHMENT_UNSUPPORTED: 415,
  /** What a turn's answer should be is no JSON schema, or one that is too large or not taken. */
  SCHEMA_INVALID: 400,
  IDEMPOTENCY_MISMATCH: 422,
  TURN_IN_PROGRESS: 409,
  BOOT_IN_PROGRESS: 409,
  /** As many messages wait in the session as may. */
  QUEUE_FULL: 409,
  /** Another session has a turn in the workspace that both share. */
  WORKSPACE_IN_USE: 409,
  PERMISSION_RESOLVED: 409,
  PROJECT_NOT_READY: 409,
  CONFLICT: 409,
  /** A file of that name is there, and the request did not say that it may be replaced. */
  FILE_EXISTS: 409,
  /** The file is no longer the one that the request named by `If-Match`, or is there although it should not be. */
  FILE_CHANGED: 412,
  BUDGET_EXCEEDED: 402,
  RATE_LIMITED: 429,
  CURSOR_AHEAD: 400,
  SANDBOX_UNAVAILABLE: 503,
  QUEUE_UNAVAILABLE: 503,
  WORKSPACE_UNAVAILABLE: 503,
  /** What the session did is on the disk of a worker that is gone, and nothing of it was stored. */
  WORKSPACE_NOT_STORED: 409,
  DATABASE_UNAVAILABLE: 503,
  /** The git host did not accept the account, or wants one. */
  GIT_AUTH_FAILED: 422,
  GIT_HOST_UNREACHABLE: 502,
  /** The host is a private one that the operator does not list, or leads to one. */
  GIT_HOST_FORBIDDEN: 403,
  /** The ssh host proves itself by another key than it did at first. */
  GIT_HOST_KEY_CHANGED: 409,
  GIT_NOT_FOUND: 404,
  GIT_TOO_LARGE: 413,
  /** What was there before is there no longer: the repository of a project, or its branch. */
  GIT_REMOTE_GONE: 409,
  /** Git failed in another way; `detail` has its words. */
  GIT_FAILED: 502,
  /** There is nothing that the remote lacks, or the session's branch is not at the host. */
  GIT_NOTHING_TO_PUSH: 409,
  /** The remote refused it: its branch has other commits, or a hook said no. */
  GIT_PUSH_REJECTED: 409,
  GIT_PROTECTED_BRANCH: 409,
  /** The base and the session changed the same lines, or the merge would overwrite what is not committed. */
  GIT_CONFLICT: 409,
  /** The host's API refused it, or there is none that is known. */
  PULL_REQUEST_FAILED: 502,
  HARNESS_FAILURE: 502,
  INTERNAL: 500,
} as const;

export type ProblemCode = keyof typeof PROBLEM_STATUS;
export const problemCodeSchema = z.enum(Object.keys(PROBLEM_STATUS) as [ProblemCode, ...ProblemCode[]]);

/** Codes that a turn can end with, besides the problem codes above that also end turns. */
export const TURN_ERROR_CODES = [
  'NO_RESULT',
  'RESUME_FAILED',
  'MAX_TURNS',
  'PERMISSION_DENIED',
  'PERMISSION_EXPIRED',
  'START_TIMEOUT',
  'SILENCE_TIMEOUT',
  'TURN_TIMEOUT',
  'WORKER_LOST',
  'LINE_TOO_LONG',
  'OUT_OF_MEMORY',
  'RESOURCE_LIMIT',
  'DISK_FULL',
  'MODEL_AUTH_FAILED',
  'MODEL_RATE_LIMITED',
  'MODEL_OVERLOADED',
  'MODEL_UNREACHABLE',
  'MODEL_REFUSED',
  'PROMPT_TOO_LONG',
  'ATTACHMENT_UNSUPPORTED',
  'PROCESS_CRASHED',
  'BUDGET_EXCEEDED',
  'SANDBOX_UNAVAILABLE',
  'WORKSPACE_UNAVAILABLE',
  'HARNESS_FAILURE',
  'INTERRUPTED',
  'SETUP_FAILED',
  /** A tool ran that was not allowed; the process was ended. */
  'POLICY_BYPASSED',
  /** What speaks to the program would have started something else than was decided on; the process was ended. */
  'START_REFUSED',
  /** The answer is not what the turn's schema says. */
  'SCHEMA_NOT_FOLLOWED',
] as const;
export const turnErrorCodeSchema = z.enum(TURN_ERROR_CODES);
export type TurnErrorCode = z.infer<typeof turnErrorCodeSchema>;

/** RFC 9457. `detail` says what happened and what to do; `requestId` finds the log lines. */
export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: problemCodeSchema,
  detail: z.string(),
  requestId: z.string(),
});
export type Problem = z.infer<typeof problemSchema>;
