import { ApiError } from '../../lib/http/api-error';
import { optionFaults } from './option-faults';

function denied(errors: unknown): ApiError {
  return new ApiError({
    status: 400,
    code: 'VALIDATION_FAILED',
    detail: 'Not valid.',
    retryAfterMs: null,
    problem: { errors },
  });
}

const beyond = { path: 'options.timeoutMs', message: 'At most 30 min, set by the project.' };

describe('what the server found wrong with options', () => {
  it('is said at the field that caused it, and nowhere else', () => {
    expect(optionFaults(denied([beyond]), 'options')).toEqual({
      faults: { timeoutMs: beyond.message },
      elsewhere: null,
    });
    expect(optionFaults(denied([{ ...beyond, path: 'limits.maxTurns' }]), 'limits')).toEqual({
      faults: { maxTurns: beyond.message },
      elsewhere: null,
    });
  });

  it('is said below the form where it is of no such field', () => {
    const failures = [
      denied([{ path: 'options.model', message: 'Not known.' }]),
      denied(undefined),
      new Error('No connection'),
    ];
    for (const failure of failures)
      expect(optionFaults(failure, 'options')).toEqual({ faults: {}, elsewhere: failure });
    const both = denied([beyond, { path: 'title', message: 'Too long.' }]);
    expect(optionFaults(both, 'options')).toEqual({ faults: { timeoutMs: beyond.message }, elsewhere: both });
    expect(optionFaults(null, 'options')).toEqual({ faults: {}, elsewhere: null });
  });
});
