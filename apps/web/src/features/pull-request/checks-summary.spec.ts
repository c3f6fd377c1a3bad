import type { CheckStatus } from '@chirality/contracts';
import { checksSummary, stateWords } from './checks-summary';

const checks = (...statuses: CheckStatus[]) => statuses.map((status) => ({ name: status, status, url: null }));

it.each([
  [checks(), null],
  [checks('passed'), { text: '1 check passed', tone: 'good' }],
  [checks('passed', 'skipped'), { text: '2 checks passed', tone: 'good' }],
  [checks('passed', 'running', 'waiting'), { text: '2 of 3 checks running', tone: 'warn' }],
  [checks('failed', 'running', 'passed'), { text: '1 of 3 checks failed', tone: 'bad' }],
])('%j in a few words', (rows, summary) => {
  expect(checksSummary(rows)).toEqual(summary);
});

it('says draft only while it is open', () => {
  expect(stateWords({ state: 'open', draft: true }).text).toBe('Draft');
  expect(stateWords({ state: 'merged', draft: true }).text).toBe('Merged');
});
