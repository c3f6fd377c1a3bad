import type { PermissionAnswer } from '@chirality/domain';
import { answerSentence, shortAnswer } from './answer-sentence';

const answer = (changes: Partial<PermissionAnswer>): PermissionAnswer => ({
  outcome: 'allowed',
  scope: 'once',
  by: { userId: 'user_1', name: 'Owner' },
  reason: null,
  policy: null,
  answers: null,
  at: '2026-01-01T00:00:00.000Z',
  ...changes,
});

describe('who decided', () => {
  it.each([
    [answer({}), 'allowed by Owner', 'Allowed once by Owner'],
    [answer({ scope: 'pattern' }), 'allowed by Owner', 'Owner allowed npm test * for this session'],
    [answer({ scope: 'tool' }), 'allowed by Owner', 'Owner allowed every use of this tool for this session'],
    [answer({ outcome: 'denied', reason: 'Use UTC' }), 'denied by Owner: Use UTC', 'Denied by Owner: Use UTC'],
    [
      answer({ outcome: 'denied', by: null, reason: 'No one was present.' }),
      'denied: No one was present.',
      'Denied: No one was present.',
    ],
    [answer({ by: null }), null, 'Allowed'],
    [
      answer({ by: null, policy: { rule: 'Bash(ls *)', autoApprove: false, by: { userId: 'user_2', name: 'Ada' } } }),
      'allowed by the rule Bash(ls *) of Ada',
      'Allowed by the rule Bash(ls *) of Ada',
    ],
    [
      answer({ outcome: 'denied', by: null, policy: { rule: null, autoApprove: true, by: null } }),
      'denied by auto-approve',
      'Denied by auto-approve',
    ],
    [answer({ outcome: 'expired', by: null }), 'denied: no one answered', 'Denied: no one answered in time'],
  ])('%j', (given, short, sentence) => {
    expect([shortAnswer(given), answerSentence(given, 'npm test *')]).toEqual([short, sentence]);
  });
});
