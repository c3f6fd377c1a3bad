import { ProblemError } from './problem-error';

describe('ProblemError', () => {
  it('carries code, status, detail and what the caller may see besides', () => {
    const error = new ProblemError('TURN_IN_PROGRESS', 'Wait for the running turn or interrupt it.', {
      turnId: 'turn_1',
    });
    expect({ ...error, status: error.status, message: error.message }).toEqual({
      name: 'ProblemError',
      code: 'TURN_IN_PROGRESS',
      status: 409,
      detail: 'Wait for the running turn or interrupt it.',
      extra: { turnId: 'turn_1' },
      message: 'TURN_IN_PROGRESS: Wait for the running turn or interrupt it.',
    });
    expect(error).toBeInstanceOf(Error);
  });
});
