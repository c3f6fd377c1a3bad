import type { Scenario } from './scenario';
import { failure, init, res, system, type StreamRecord } from './records';

const failed = (code: string, change: StreamRecord, ...before: unknown[]): Scenario => ({
  name: `a failure is reported by its code: ${code} by ${JSON.stringify(change)}`,
  records: [init(), ...before, res({ is_error: true, terminal_reason: 'api_error', result: 'x', ...change })],
  outcome: {
    outcome: code === 'INTERRUPTED' ? 'interrupted' : 'failed',
    code,
    retryable: ['MODEL_RATE_LIMITED', 'MODEL_OVERLOADED', 'MODEL_UNREACHABLE'].includes(code),
  },
});

/** Which code a failed result has. */
export const FAILURE_CODES: Scenario[] = [
  failed('MAX_TURNS', { terminal_reason: 'max_turns' }),
  failed('MAX_TURNS', { terminal_reason: undefined, subtype: 'error_max_turns' }),
  failed('BUDGET_EXCEEDED', { terminal_reason: 'budget_exhausted' }),
  failed('BUDGET_EXCEEDED', { terminal_reason: undefined, subtype: 'error_max_budget_usd' }),
  failed('SCHEMA_NOT_FOLLOWED', { terminal_reason: undefined, subtype: 'error_max_structured_output_retries' }),
  failed('INTERRUPTED', { terminal_reason: 'aborted_streaming' }),
  failed('INTERRUPTED', { terminal_reason: 'aborted_tools' }),
  failed('PROMPT_TOO_LONG', { terminal_reason: 'prompt_too_long', api_error_status: 400 }),
  failed('ATTACHMENT_UNSUPPORTED', { terminal_reason: 'image_error', api_error_status: 400 }),
  failed('PROMPT_TOO_LONG', { terminal_reason: 'image_error', api_error_status: 413 }),
  failed('PROMPT_TOO_LONG', { api_error_status: 413 }),
  failed('MODEL_AUTH_FAILED', { api_error_status: 401 }),
  failed('MODEL_AUTH_FAILED', { api_error_status: 403 }),
  failed('MODEL_UNREACHABLE', { api_error_status: 408 }),
  failed('MODEL_RATE_LIMITED', { api_error_status: 429 }),
  failed('MODEL_OVERLOADED', { api_error_status: 503 }),
  failed('MODEL_OVERLOADED', { api_error_status: 529 }),
  failed('MODEL_UNREACHABLE', { api_error_status: 502 }),
  failed('MODEL_UNREACHABLE', { api_error_status: 500 }),
  failed('HARNESS_FAILURE', { api_error_status: 404 }),
  failed('HARNESS_FAILURE', { api_error_status: 499 }),
  failed('MODEL_RATE_LIMITED', { api_error_status: null }, failure('unknown', 'x', { api_error_status: 429 })),
  failed('MODEL_AUTH_FAILED', { api_error_status: 400 }, failure('billing_error', 'x', { api_error_status: 400 })),
  failed('MODEL_AUTH_FAILED', {}, failure('authentication_failed', 'x')),
  failed('MODEL_AUTH_FAILED', {}, failure('oauth_org_not_allowed', 'x')),
  failed('MODEL_AUTH_FAILED', {}, failure('billing_error', 'x')),
  failed('MODEL_RATE_LIMITED', {}, failure('rate_limit', 'x')),
  failed('MODEL_OVERLOADED', {}, failure('overloaded', 'x')),
  failed('MODEL_UNREACHABLE', {}, failure('server_error', 'x')),
  failed('MODEL_UNREACHABLE', {}, failure('unknown', 'x')),
  failed('HARNESS_FAILURE', { terminal_reason: 'something' }, failure('unknown', 'x')),
  failed('HARNESS_FAILURE', {}),
  failed('MODEL_REFUSED', { stop_reason: 'refusal' }),
  failed('MODEL_REFUSED', {}, system('model_refusal_no_fallback')),
  failed('RESUME_FAILED', { errors: ['x does not match any session title'] }),
  failed('MODEL_RATE_LIMITED', {}, failure('server_error', 'x'), failure('rate_limit', 'later')),
];
