import type { ProblemCode } from '../routes';
import { serverNow } from './server-clock';

type ErrorFacts = {
  /** 0 where nothing answered. */
  status: number;
  /** Stable: a problem’s code; `NETWORK` where nothing answered, `UNKNOWN` where something else than the server did. */
  code: ProblemCode | 'NETWORK' | 'UNKNOWN';
  detail: string;
  retryAfterMs?: number | null;
  /** The whole problem document: refusals carry what a person needs to know, such as who holds the session. */
  problem?: Record<string, unknown>;
};

/** Refusals of the 5xx range that waiting alone does not cure. */
const NEEDS_A_PERSON = new Set<string>(['SANDBOX_UNAVAILABLE', 'HARNESS_FAILURE', 'WORKSPACE_UNAVAILABLE']);

/** Whatever a request can end with besides its answer. `message` is a sentence to show. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorFacts['code'];
  readonly retryAfterMs: number | null;
  /** When the server will take the same request again, on its clock. */
  readonly retryAtMs: number | null;
  readonly problem: Record<string, unknown>;

  constructor(facts: ErrorFacts) {
    super(facts.detail);
    this.name = 'ApiError';
    this.status = facts.status;
    this.code = facts.code;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.retryAtMs = this.retryAfterMs === null ? null : serverNow() + this.retryAfterMs;
    this.problem = facts.problem ?? {};
  }

  /** Nothing answered, or what answered says that it is passing: the same request may be sent again. */
  get isPassing(): boolean {
    if (this.code === 'NETWORK' || this.code === 'RATE_LIMITED') return true;
    return this.status >= 500 && !NEEDS_A_PERSON.has(this.code);
  }

  get isGone(): boolean {
    return this.status === 404;
  }
}

/** What a request fails with that nothing answers. */
export function networkError(): ApiError {
  return new ApiError({
    status: 0,
    code: 'NETWORK',
    detail: 'The server cannot be reached. Check your connection and try again.',
  });
}

/** A sentence to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}

async function readProblem(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function retryAfterMsOf(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

/** Reads a refusal; a proxy's page without our problem document becomes `UNKNOWN`. */
export async function errorOfResponse(response: Response): Promise<ApiError> {
  const problem = await readProblem(response);
  return new ApiError({
    status: response.status,
    code: typeof problem.code === 'string' ? (problem.code as ProblemCode) : 'UNKNOWN',
    detail:
      typeof problem.detail === 'string'
        ? problem.detail
        : `The server answered ${response.status}. Try again in a moment.`,
    retryAfterMs: retryAfterMsOf(response) ?? (typeof problem.retryAfterMs === 'number' ? problem.retryAfterMs : null),
    problem,
  });
}

/** What the server found wrong, by the name of the field; empty when the fault is of no field. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const errors = error instanceof ApiError ? error.problem['errors'] : undefined;
  if (!Array.isArray(errors)) return {};
  const entries = (errors as unknown[]).flatMap((one) => {
    const { path, message } = (one ?? {}) as { path?: unknown; message?: unknown };
    return typeof path === 'string' && typeof message === 'string' ? [[path, message] as const] : [];
  });
  return Object.fromEntries(entries);
}
