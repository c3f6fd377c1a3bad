import { TurnBudget } from './turn-budget';

describe('the budget of a turn', () => {
  it('counts what is open as spent, so that requests side by side cannot pass it together', () => {
    const budget = new TurnBudget('1');
    const first = budget.reserve('0.6');
    expect(budget.reserve('0.6')).toBeNull();
    first?.settle('0.1');
    expect(budget.spent).toBe('0.1');
    const second = budget.reserve('0.6');
    expect(second).not.toBeNull();
    expect(budget.reserve('0.3')).not.toBeNull();
    expect(budget.reserve('0.0000000001')).toBeNull();
  });

  it('may be used up to the last digit, and what was used beyond a reservation still counts', () => {
    const budget = new TurnBudget('0.3');
    budget.reserve('0.1')?.settle('0.2');
    expect(budget.reserve('0.1')).not.toBeNull();
    expect(budget.reserve('0.0000000001')).toBeNull();
  });

  it('refuses nothing without a limit', () => {
    expect(new TurnBudget(null).reserve('1000000')).not.toBeNull();
    expect(new TurnBudget('0').reserve('0.01')).toBeNull();
  });
});
