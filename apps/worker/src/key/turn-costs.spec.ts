import { TurnCosts, type Amount, type MessageCost } from './turn-costs';

const amount = (inputTokens: number, outputTokens: number, costUsd: string | null): Amount => ({
  usage: { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costUsd,
});
const message = (
  inputTokens: number,
  outputTokens: number,
  costUsd: string | null,
  more: Partial<MessageCost> = {},
): MessageCost => ({
  ...amount(inputTokens, outputTokens, costUsd),
  model: 'claude-test',
  demo: false,
  complete: true,
  ...more,
});

describe('the costs of a turn so far', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('count each message once, by its latest state, to the last digit', () => {
    const costs = new TurnCosts(() => undefined);
    costs.update('a', message(10, 1, '0.0000000001', { complete: false }));
    costs.update('a', message(10, 300, '0.1'));
    expect(costs.allComplete).toBe(true);
    costs.update('b', message(5, 7, '0.2', { complete: false }));
    expect(costs.allComplete).toBe(false);
    expect(costs.soFar()).toEqual(amount(15, 307, '0.3'));
    expect(costs.messageCount).toBe(2);
    costs.stop();
  });

  it('are unknown where no model had a price, and "at least" where one had', () => {
    const costs = new TurnCosts(() => undefined);
    costs.update('a', message(10, 1, null, { model: 'made-up' }));
    expect(costs.soFar()).toEqual({ ...amount(10, 1, null), unpricedMessages: 1 });
    costs.update('b', message(5, 7, '0.2'));
    expect(costs.soFar()).toEqual({ ...amount(15, 8, '0.2'), unpricedMessages: 1 });
    expect(costs.unpricedModels).toEqual(['made-up']);
    costs.stop();
  });

  it('are announced at most four times a second, and never after the end', () => {
    const announced: (string | null)[] = [];
    const costs = new TurnCosts(({ costUsd }) => announced.push(costUsd));
    for (let i = 1; i <= 100; i += 1) {
      costs.update(`m${i}`, message(1, 1, '0.01'));
      jest.advanceTimersByTime(10);
    }
    expect(announced.length).toBeGreaterThanOrEqual(4);
    expect(announced.length).toBeLessThanOrEqual(5);
    costs.stop();
    jest.advanceTimersByTime(1_000);
    expect(announced.length).toBeLessThanOrEqual(5);
  });
});
