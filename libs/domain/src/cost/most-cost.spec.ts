import type { Price } from '@chirality/contracts';
import { mostCostOfRequest } from './most-cost';

const at = new Date('2026-05-01T00:00:00Z');
const price: Price = { model: 'claude-x', effectiveFrom: '2026-01-01T00:00:00.000Z', input: '3', output: '15', cacheRead: '0.3', cacheWrite5m: '3.75', cacheWrite1h: '6', webSearch: '0.01' };
const most = (request: object) => mostCostOfRequest([price], JSON.stringify(request), at);

describe('the most that a request may cost', () => {
  it('is its prompt at four characters a token and all the answer that it allows', () => {
    const spare = most({ model: 'claude-x', max_tokens: 1_000 });
    expect(most({ model: 'claude-x', max_tokens: 2_000 })).toBe('0.030021');
    expect(spare).toBe('0.015021');
    expect(most({ model: 'claude-x', max_tokens: 1_000, system: 'x'.repeat(4_000) })).toBe('0.018027');
  });

  it('takes a picture for what it is, not for its bytes', () => {
    const picture = (bytes: number) => most({ model: 'claude-x', max_tokens: 0, messages: [{ content: [{ type: 'image', source: { type: 'base64', data: 'A'.repeat(bytes) } }] }] });
    expect(picture(4_000_000)).toBe(picture(400));
  });

  it('counts on much where nothing is said, and on nothing without a price', () => {
    expect(Number(most({ model: 'claude-x' }))).toBeGreaterThan(0.47);
    expect(Number(most({ model: 'claude-x', max_tokens: -5 }))).toBeGreaterThan(0.47);
    expect(most({ model: 'unheard-of', max_tokens: 1_000 })).toBe('0');
    expect(mostCostOfRequest([price], 'no json', at)).toBe('0');
  });
});
