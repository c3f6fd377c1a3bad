import type { Price } from '@chirality/contracts';
import { compareMoney } from './money';
import { requestBounds } from './request-bounds';

const at = new Date('2026-05-01T00:00:00Z');
const price: Price = {
  model: 'claude-x',
  effectiveFrom: '2026-01-01T00:00:00.000Z',
  input: '3',
  output: '15',
  cacheRead: '0.3',
  cacheWrite5m: '3.75',
  cacheWrite1h: '6',
  webSearch: '0.01',
};
const boundsOf = (request: object, prices = [price]) => requestBounds(prices, { ...request }, at);
const most = (request: object) => boundsOf(request).mostUsd;

describe('the most that a request may cost', () => {
  it('is its prompt at four characters a token and all the answer that it allows', () => {
    expect(most({ model: 'claude-x', max_tokens: 2_000 })).toBe('0.030021');
    expect(most({ model: 'claude-x', max_tokens: 1_000 })).toBe('0.015021');
    expect(most({ model: 'claude-x', max_tokens: 1_000, system: 'x'.repeat(4_000) })).toBe('0.018027');
  });

  it('counts every character outside of ASCII as a token', () => {
    expect(Number(most({ model: 'claude-x', max_tokens: 0, system: '漢'.repeat(4_000) }))).toBeGreaterThan(0.012);
  });

  it('is at the price of writing to the cache where that is asked for', () => {
    const cached = (cache_control: object) =>
      Number(
        most({
          model: 'claude-x',
          max_tokens: 0,
          system: [{ type: 'text', text: 'x'.repeat(400_000), cache_control }],
        }),
      );
    expect(cached({ type: 'ephemeral' })).toBeCloseTo(0.375, 3);
    expect(cached({ type: 'ephemeral', ttl: '1h' })).toBeCloseTo(0.6, 3);
  });

  it('takes a picture for what it is, not for its bytes', () => {
    const picture = (bytes: number) =>
      most({
        model: 'claude-x',
        max_tokens: 0,
        messages: [{ content: [{ type: 'image', source: { type: 'base64', data: 'A'.repeat(bytes) } }] }],
      });
    expect(picture(4_000_000)).toBe(picture(400));
  });

  it('counts on much where nothing is said, and on nothing without a price', () => {
    expect(Number(most({ model: 'claude-x' }))).toBeGreaterThan(0.47);
    expect(Number(most({ model: 'claude-x', max_tokens: -5 }))).toBeGreaterThan(0.47);
    expect(most({ model: 'unheard-of', max_tokens: 1_000 })).toBe('0');
  });
});

describe('a request within less than it asks for', () => {
  const request = {
    model: 'claude-x',
    max_tokens: 32_000,
    stream: true,
    messages: [{ role: 'user', content: 'x'.repeat(3_000) }],
  };
  type Sent = { max_tokens: number; thinking?: { budget_tokens: number } };
  const within = (asked: object, grantedUsd: string) => JSON.parse(boundsOf(asked).within(grantedUsd)) as Sent;

  it('is the same with so short an answer that it costs at most that, and one token more would not fit', () => {
    for (const grantedUsd of ['0.05', '0.1', '0.1234567891', '0.3', '0.4799999999']) {
      const sent = within(request, grantedUsd);
      expect(sent).toEqual({ ...request, max_tokens: sent.max_tokens });
      expect(compareMoney(boundsOf(sent).mostUsd, grantedUsd)).not.toBe(1);
      expect(compareMoney(boundsOf({ ...sent, max_tokens: sent.max_tokens + 1 }).mostUsd, grantedUsd)).toBe(1);
    }
  });

  it('is left as it came where all of it fits or nothing is paid for its answer', () => {
    const whole = { model: 'claude-x', max_tokens: 100 };
    const { mostUsd, within: fit } = requestBounds([price], whole, at);
    expect(JSON.parse(fit(mostUsd))).toEqual(whole);
    expect(JSON.parse(requestBounds([{ ...price, output: '0' }], whole, at).within('0'))).toEqual(whole);
  });

  it('answers in no fewer than 1024 tokens, nor in more than were asked for', () => {
    const { leastUsd } = boundsOf(request);
    expect(within(request, leastUsd).max_tokens).toBe(1_024);
    const short = { ...request, max_tokens: 300 };
    expect(boundsOf(short).leastUsd).toBe(boundsOf(short).mostUsd);
  });

  it('thinks less than it may answer, and never less than the service takes', () => {
    const thinking = { ...request, thinking: { type: 'enabled', budget_tokens: 31_999, display: 'x' } };
    expect(within(thinking, '0.1')).toMatchObject({ thinking: { type: 'enabled', display: 'x' } });
    for (const grantedUsd of [boundsOf(thinking).leastUsd, '0.04', '0.1', '0.479']) {
      const sent = within(thinking, grantedUsd);
      expect(sent.thinking?.budget_tokens).toBeGreaterThanOrEqual(1_024);
      expect(sent.thinking?.budget_tokens).toBeLessThanOrEqual(sent.max_tokens - 1_024);
    }
    const little = { ...request, thinking: { type: 'enabled', budget_tokens: 1_500 } };
    expect(within(little, '0.1').thinking).toEqual(little.thinking);
    const adaptive = { ...request, thinking: { type: 'adaptive' } };
    expect(within(adaptive, '0.1').thinking).toEqual(adaptive.thinking);
  });
});
