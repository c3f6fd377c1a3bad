import { TurnCosts, type Amount } from './turn-costs';

const amount = (inputTokens: number, outputTokens: number, costUsd: string): Amount => ({
  usage: { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costUsd,
});

describe('the costs of a turn so far', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('count each message once, by its latest state, to the last digit', () => {
    const costs = new TurnCosts(() => undefined);
    costs.update('a', amount(10, 1, '0.0000000001'), false);
    costs.update('a', amount(10, 300, '0.1'), true);
    expect(costs.allComplete).toBe(true);
    costs.update('b', amount(5, 7, '0.2'), false);
    expect(costs.allComplete).toBe(false);
    expect(costs.soFar()).toEqual(amount(15, 307, '0.3'));
    expect(costs.messageCount).toBe(2);
    costs.stop();
  });

  it('are announced at most four times a second, and never after the end', () => {
    const announced: string[] = [];
    const costs = new TurnCosts(({ costUsd }) => announced.push(costUsd));
    for (let i = 1; i <= 100; i += 1) {
      costs.update(`m${i}`, amount(1, 1, '0.01'), true);
      jest.advanceTimersByTime(10);
    }
    expect(announced.length).toBeGreaterThanOrEqual(4);
    expect(announced.length).toBeLessThanOrEqual(5);
    costs.stop();
    jest.advanceTimersByTime(1_000);
    expect(announced.length).toBeLessThanOrEqual(5);
  });
});
