import { TurnBudget, type Reservation } from './turn-budget';

const all = (usd: string) => ({ mostUsd: usd, leastUsd: usd });

function reserved(budget: TurnBudget, bounds: { mostUsd: string; leastUsd: string }): Reservation {
  const outcome = budget.reserve(bounds, false);
  if (outcome.outcome !== 'reserved') throw new Error(outcome.outcome);
  return outcome.reservation;
}

describe('the budget of a turn', () => {
  it('counts what is open as spent, so that requests side by side cannot pass it together', () => {
    const budget = new TurnBudget('1');
    const first = reserved(budget, all('0.6'));
    expect([budget.reserve(all('0.6'), false).outcome, budget.reserve(all('0.6'), true).outcome]).toEqual([
      'exceeded',
      'wait',
    ]);
    first.settle('0.1');
    expect(budget.spent).toBe('0.1');
    reserved(budget, all('0.6'));
    reserved(budget, all('0.3'));
    expect(budget.reserve(all('0.0000000001'), false).outcome).toBe('exceeded');
  });

  it('may be used up to the last digit, and what was used beyond a reservation still counts', () => {
    const budget = new TurnBudget('0.3');
    reserved(budget, all('0.1')).settle('0.2');
    reserved(budget, all('0.1'));
    expect(budget.reserve(all('0.0000000001'), false).outcome).toBe('exceeded');
  });

  it('gives what is left to a request that can do with less', () => {
    const budget = new TurnBudget('1');
    reserved(budget, all('0.5')).settle('0.4');
    const rest = reserved(budget, { mostUsd: '2', leastUsd: '0.1' });
    expect(rest.amountUsd).toBe('0.6');
    expect(budget.reserve({ mostUsd: '2', leastUsd: '0.1' }, false).outcome).toBe('exceeded');
    rest.settle('0.6');
    expect([budget.spent, budget.reserve(all('0.0000000001'), true).outcome]).toEqual(['1', 'exceeded']);
  });

  it('refuses nothing without a limit', () => {
    expect(reserved(new TurnBudget(null), all('1000000')).amountUsd).toBe('1000000');
    expect(new TurnBudget('0').reserve(all('0.01'), true).outcome).toBe('exceeded');
  });
});
