import { PROBLEM_STATUS, type Problem, type ProblemCode, type SourceState } from '@chirality/contracts';
import { withoutHostPaths } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';

const TITLES: Record<ProblemCode, string> = {
  UNAUTHENTICATED: 'Unauthorized',
  FORBIDDEN: 'Forbidden',
  TOKEN_EXPIRED: 'The token has expired',
  TOKEN_REVOKED: 'The token is not valid',
  TOKEN_SCOPE: 'Beyond the token’s scope',
  CRITICAL_CLAIM_UNKNOWN: 'Unknown critical claim',
  DEVICE_CODE_PENDING: 'The device code is not confirmed yet',
  DEVICE_CODE_EXPIRED: 'The device code has expired',
  AGENT_MAY_NOT_APPROVE: 'An agent may not approve',
  PASSWORD_CHANGE_REQUIRED: 'Choose your own password first',
  NOT_FOUND: 'Not found',
  SESSION_NOT_FOUND: 'Session not found',
  PROJECT_NOT_FOUND: 'Project not found',
  PERSONA_NOT_FOUND: 'Persona not found',
  WORKING_ROOT_INACCESSIBLE: 'The working directory cannot be reached',
  VALIDATION_FAILED: 'Invalid request',
  HANDSHAKE_REQUIRED: 'A handshake is required',
  HANDSHAKE_VERSION_MISMATCH: 'The protocol versions do not meet',
  MESSAGE_EMPTY: 'The message is empty',
  MESSAGE_TOO_LARGE: 'The message is too large',
  ATTACHMENT_TOO_LARGE: 'The attachment is too large',
  ATTACHMENT_UNSUPPORTED: 'The attachment cannot be used',
  SCHEMA_INVALID: 'Schema of the answer not taken',
  IDEMPOTENCY_MISMATCH: 'Idempotency key used for another request',
  TURN_IN_PROGRESS: 'A turn is in progress',
  WORKSPACE_IN_USE: 'The shared workspace is in use',
  BOOT_IN_PROGRESS: 'The session is booting',
  QUEUE_FULL: 'The queue of the session is full',
  PERMISSION_RESOLVED: 'Already answered',
  PROJECT_NOT_READY: 'The project’s files are not ready',
  CONFLICT: 'Conflict',
  FILE_EXISTS: 'The file exists already',
  FILE_CHANGED: 'The file has changed',
  BUDGET_EXCEEDED: 'Budget exceeded',
  RATE_LIMITED: 'Too many requests',
  CURSOR_AHEAD: 'The cursor is beyond the log',
  SANDBOX_UNAVAILABLE: 'No sandbox available',
  QUEUE_UNAVAILABLE: 'The queue cannot be reached',
  WORKSPACE_UNAVAILABLE: 'The workspace cannot be reached',
  WORKSPACE_NOT_STORED: 'The workspace was not stored',
  DATABASE_UNAVAILABLE: 'The database cannot be reached',
  GIT_AUTH_FAILED: 'The git host did not accept the sign-in',
  GIT_HOST_UNREACHABLE: 'The git host cannot be reached',
  GIT_HOST_FORBIDDEN: 'The git host is not allowed',
  GIT_HOST_KEY_CHANGED: 'The git host’s key has changed',
  GIT_NOT_FOUND: 'The git repository was not found',
  GIT_TOO_LARGE: 'The git repository is too large',
  GIT_REMOTE_GONE: 'The remote is gone',
  GIT_FAILED: 'Git failed',
  GIT_NOTHING_TO_PUSH: 'Nothing to push',
  GIT_PUSH_REJECTED: 'The push was rejected',
  GIT_PROTECTED_BRANCH: 'The branch is protected',
  GIT_CONFLICT: 'The base and the session conflict',
  PULL_REQUEST_FAILED: 'The git host did not do it',
  HARNESS_FAILURE: 'Claude Code failed',
  INTERNAL: 'Internal server error',
};

/** The RFC 9457 document of a refusal. Members of the standard always win over `extra`. */
export function problemDocument(error: ProblemError, requestId: string): Problem {
  return {
    ...error.extra,
    type: `urn:chirality:problem:${error.code}`,
    title: TITLES[error.code],
    status: PROBLEM_STATUS[error.code],
    code: error.code,
    // What broke here may name files of this machine; what a client sent is answered as it was sent.
    detail: PROBLEM_STATUS[error.code] >= 500 ? withoutHostPaths(error.detail) : error.detail,
    requestId,
  };
}

const NOT_READY: Record<SourceState['status'], string> = {
  awaiting_upload: 'Nothing has been uploaded for this project yet. Send its archive first.',
  waiting: 'The project’s files are still being fetched. Wait until they are here; its page shows the progress.',
  fetching: 'The project’s files are still being fetched. Wait until they are here; its page shows the progress.',
  failed: 'The project’s files could not be fetched. Its page says why; try again there.',
  ready: 'The project’s files have just arrived. Try again.',
};

/** Denied to a person by their role in a team. */
export class ForbiddenError extends ProblemError {
  constructor(
    detail: string,
    readonly teamId: string | null,
  ) {
    super('FORBIDDEN', detail);
  }
}

/**
 * Refusals that say nothing about why: an id of another team, an unknown one and a malformed one are the same answer.
 */
export const problems = {
  sessionNotFound: () =>
    new ProblemError('SESSION_NOT_FOUND', 'There is no such session, or you may not see it. Check the id.'),
  projectNotFound: () =>
    new ProblemError('PROJECT_NOT_FOUND', 'There is no such project, or you may not see it. Check the id.'),
  projectNotReady: (status: SourceState['status']) => new ProblemError('PROJECT_NOT_READY', NOT_READY[status]),
  personaNotFound: () =>
    new ProblemError(
      'PERSONA_NOT_FOUND',
      'There is no such persona. The project’s list of personas says which there are.',
    ),
  notFound: (noun: string) =>
    new ProblemError('NOT_FOUND', `There is no such ${noun}, or you may not see it. Check the id.`),
  /** `teamId`: the team in whose audit log it is written, once the person is known to be in it. */
  forbidden: (what: string, teamId: string | null = null) =>
    new ForbiddenError(`Your role does not let you ${what}. Ask an admin of the team.`, teamId),
  unauthenticated: (detail = 'Sign in and send the access token as a bearer token.') =>
    new ProblemError('UNAUTHENTICATED', detail),
  tokenExpired: (detail = 'The token has expired. Create a new one on the tokens page.') =>
    new ProblemError('TOKEN_EXPIRED', detail),
  tokenRevoked: () =>
    new ProblemError('TOKEN_REVOKED', 'The token was revoked or never existed. Create a new one on the tokens page.'),
  tokenScope: (detail: string) => new ProblemError('TOKEN_SCOPE', detail),
  criticalClaimUnknown: (claim: string) =>
    new ProblemError(
      'CRITICAL_CLAIM_UNKNOWN',
      `The token depends on the claim "${claim.slice(0, 100)}", which this server does not know. Update the server, or create a token without it.`,
    ),
  deviceCodePending: (intervalSeconds: number, slowDown: boolean) =>
    new ProblemError(
      'DEVICE_CODE_PENDING',
      `No one has confirmed the code in a browser yet. Ask again in ${intervalSeconds} s.`,
      { intervalSeconds, slowDown },
    ),
  deviceCodeExpired: () =>
    new ProblemError(
      'DEVICE_CODE_EXPIRED',
      'The code has expired, was used already, or never existed. Start the sign-in of the program again.',
    ),
  agentMayNotApprove: () =>
    new ProblemError(
      'AGENT_MAY_NOT_APPROVE',
      'An agent may not answer permission requests. Ask a person to answer in the dashboard.',
    ),
  agentMayNotLoosen: () =>
    new ProblemError(
      'AGENT_MAY_NOT_APPROVE',
      'An agent may not loosen what a person set for this session. Ask a person to change its options in the dashboard.',
    ),
  passwordChangeRequired: () =>
    new ProblemError(
      'PASSWORD_CHANGE_REQUIRED',
      'Your password was made for the first sign-in only. Set your own with POST /v1/auth/password/change, or in the dashboard, then continue.',
    ),
  rateLimited: (retryAfterMs: number) => {
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
    return new ProblemError('RATE_LIMITED', `Too many attempts. Try again in ${seconds} s.`, {
      retryAfterMs: seconds * 1000,
    });
  },
  databaseUnavailable: () =>
    new ProblemError(
      'DATABASE_UNAVAILABLE',
      'The database cannot be reached just now. Nothing was changed; try again in a moment.',
    ),
};
