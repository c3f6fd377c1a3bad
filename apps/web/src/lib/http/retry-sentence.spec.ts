import { ApiError, errorOfResponse } from './api-error';
import { retrySentence, withoutRetry } from './retry-sentence';

describe('when to try again', () => {
  it.each([
    [20_000, 'Try again in 20 seconds.'],
    [600, 'Try again in 1 second.'],
    [840_000, 'Try again in 14 minutes.'],
    [0, 'You can try again now.'],
  ])('%d ms before is said', (leftMs, sentence) => {
    expect(retrySentence(leftMs)).toBe(sentence);
  });

  it('is said once: the refusal’s own words for it make room', () => {
    expect(withoutRetry('Too many attempts. Try again in 20 s.')).toBe('Too many attempts.');
    expect(withoutRetry('Nothing was changed; try again in a moment.')).toBe('Nothing was changed.');
    expect(withoutRetry('Choose another name.')).toBe('Choose another name.');
  });

  it('is known of refusals that say how long they last, by their header or their document', async () => {
    const before = Date.now();
    const refusals = [
      new Response('{}', { status: 503, headers: { 'retry-after': '20' } }),
      Response.json({ code: 'RATE_LIMITED', detail: 'x', retryAfterMs: 20_000 }, { status: 429 }),
    ];
    for (const refusal of refusals)
      expect((await errorOfResponse(refusal)).retryAtMs).toBeGreaterThanOrEqual(before + 20_000);
    expect(new ApiError({ status: 404, code: 'NOT_FOUND', detail: 'x' }).retryAtMs).toBeNull();
  });
});
