import { message, text, type ErrorReply, type Reply } from '../../api/reply';
import type { Script } from '../script';

const NEVER_RETRIED: Record<string, string> = { 'x-should-retry': 'false' };

/** Lets the model's service fail on purpose, so that people see how that looks and that the session continues. */
export const fail: Script = {
  name: 'fail',
  fits: ({ asked }) =>
    /^\W*(?:please\s+)?(?:fail|crash|break)\b|\b(?:rate.?limit|overload|outage)|\b(?:simulate|show me|produce)\b.*\b(?:error|failure)\b/i.test(
      asked,
    ),
  play: ({ asked }): Reply => {
    if (/rate.?limit/i.test(asked))
      return failure(
        429,
        'rate_limit_error',
        'The demo model pretends that its rate limit is reached, because you asked for it.',
        { 'retry-after': '3600' },
      );
    if (/refus/i.test(asked)) return { ...message(text('I will not')), stopReason: 'refusal' };
    return failure(
      400,
      'invalid_request_error',
      'The demo model failed on purpose, because you asked for it. Nothing is broken: write the next message.',
      {},
    );
  },
};

function failure(status: number, type: string, why: string, headers: Record<string, string>): ErrorReply {
  return { kind: 'error', status, type, message: why, headers: { ...NEVER_RETRIED, ...headers } };
}
