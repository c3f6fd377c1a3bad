import { refusalSentence } from './refusal-sentence';

describe('why a message was refused', () => {
  it('says who has the session and since when', () => {
    const problem = { holder: { userId: 'user_1', name: 'Bo' }, since: '2026-01-01T12:00:00.000Z' };
    expect(refusalSentence({ code: 'TURN_IN_PROGRESS', detail: 'raw', problem })).toMatch(/^Bo’s turn runs since \d/);
  });

  it('is the server’s own sentence otherwise', () => {
    expect(refusalSentence({ code: 'TURN_IN_PROGRESS', detail: 'Busy.', problem: {} })).toBe('Busy.');
    expect(refusalSentence({ code: 'BUDGET_EXCEEDED', detail: 'Used up.', problem: {} })).toBe('Used up.');
  });
});
