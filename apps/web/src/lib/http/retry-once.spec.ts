import { ApiError, networkError } from './api-error';
import { retryOnce } from './retry-once';

describe('a second try', () => {
  const refused = (status: number) => new ApiError({ status, code: 'UNKNOWN', detail: 'x' });

  it('is made after a failure, and only then', () => {
    for (const error of [networkError(), refused(503), new Error('x')])
      expect([retryOnce(0, error), retryOnce(1, error)]).toEqual([true, false]);
  });

  it('is not made for what does not exist', () => {
    expect(retryOnce(0, refused(404))).toBe(false);
  });
});
