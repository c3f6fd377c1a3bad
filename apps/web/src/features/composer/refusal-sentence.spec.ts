import { isPast, refusalSentence } from './refusal-sentence';

describe('why a message was refused', () => {
  it('says who has the session and since when', () => {
    const problem = { holder: { userId: 'user_1', name: 'Bo' }, since: '2026-01-01T12:00:00.000Z' };
    expect(refusalSentence({ code: 'TURN_IN_PROGRESS', detail: 'raw', problem }, true)).toMatch(
      /^Bo’s turn has been running since \d/,
    );
  });

  it('says that the message can go once the turn that was in the way is over, and only then', () => {
    const refusal = {
      code: 'TURN_IN_PROGRESS',
      detail: 'raw',
      problem: { holder: { name: 'Bo' }, since: '2026-01-01T12:00:00.000Z' },
    };
    expect(refusalSentence(refusal, false)).toBe(
      'Another turn was running when you sent this. It has ended: send your message now.',
    );
    expect([
      isPast(refusal, false),
      isPast(refusal, true),
      isPast({ ...refusal, code: 'BUDGET_EXCEEDED' }, false),
    ]).toEqual([true, false, false]);
  });

  it('says which session works in the shared files, until it no longer does', () => {
    const problem = { holder: { name: 'Bo' }, session: { title: 'Refactoring' }, since: '2026-01-01T12:00:00.000Z' };
    const refusal = { code: 'WORKSPACE_IN_USE', detail: 'raw', problem };
    expect(refusalSentence(refusal, true)).toMatch(/^Bo’s turn in “Refactoring”, which shares these files, has been/);
    expect(refusalSentence({ ...refusal, problem: {} }, true)).toBe('raw');
    expect([isPast(refusal, true), isPast(refusal, false)]).toEqual([false, true]);
  });

  it('is the server’s own sentence otherwise', () => {
    expect(refusalSentence({ code: 'TURN_IN_PROGRESS', detail: 'Busy.', problem: {} }, true)).toBe('Busy.');
    expect(refusalSentence({ code: 'BUDGET_EXCEEDED', detail: 'Used up.', problem: {} }, true)).toBe('Used up.');
  });
});
