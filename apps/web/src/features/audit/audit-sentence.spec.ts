import { AUDIT_ACTIONS } from '@chirality/contracts';
import { auditSentence } from './audit-sentence';
import { AUDIT_KINDS } from './audit-words';

describe('what the audit log says', () => {
  it.each(AUDIT_ACTIONS)('of %s is a sentence, also where nothing more is known', (action) => {
    const sentence = auditSentence({ action, detail: {} });
    expect(sentence).not.toContain(action);
    expect(sentence).toMatch(/^[a-z].*[^ ]$/);
    expect(sentence).not.toMatch(/undefined|null|\[object/);
  });

  it('names what was acted upon', () => {
    expect(auditSentence({ action: 'project-rule:add', detail: { rule: 'Bash(git push)', effect: 'deny' } })).toBe(
      'added the rule that denies Bash(git push)',
    );
    expect(auditSentence({ action: 'project:egress', detail: { added: ['pypi.org', 'npmjs.org'], removed: [] } })).toBe(
      'allowed pypi.org, npmjs.org in the network access',
    );
    expect(auditSentence({ action: 'member:role', detail: { name: 'Bo', from: 'member', to: 'owner' } })).toBe(
      'changed the role of Bo from member to owner',
    );
    expect(auditSentence({ action: 'user:sign-in', detail: { method: 'password', address: '192.0.2.1' } })).toBe(
      'signed in from 192.0.2.1',
    );
    expect(
      auditSentence({ action: 'project:limits', detail: { from: {}, to: { timeoutMs: 1_800_000, maxTurns: 40 } } }),
    ).toBe('limited turns of the project to 40 model turns and 30 min');
    expect(auditSentence({ action: 'team:limits', detail: { from: { maxTurns: 40 }, to: {} } })).toBe(
      'removed the limits of the team',
    );
    expect(auditSentence({ action: 'project:auto-approve', detail: { on: false } })).toBe('turned auto-approve off');
  });

  it.each([
    ['permission:answer', { tool: 'Bash', decision: 'deny' }, 'denied Bash'],
    ['permission:answer', { tool: 'Bash', decision: 'allow_once' }, 'allowed Bash once'],
    ['permission:answer', { tool: 'Bash', decision: 'allow_pattern' }, 'allowed a pattern of Bash for the session'],
    ['permission:answer', { tool: 'Edit', decision: 'allow_tool' }, 'allowed every use of Edit for the session'],
    ['permission:answer', { tool: 'AskUserQuestion', decision: 'allow_once' }, 'answered a question of Claude'],
    ['permission:answer', { tool: 'ExitPlanMode', decision: 'deny' }, 'denied a plan'],
    [
      'permission:answer-late',
      { tool: 'Bash', decision: 'allow_once' },
      'allowed Bash once, but the request was already settled',
    ],
  ])('of %s with %j says what was decided', (action, detail, sentence) => {
    expect(auditSentence({ action, detail })).toBe(sentence);
  });

  it('names what would hide or turn its words', () => {
    expect(auditSentence({ action: 'project:create', detail: { name: 'Shop\u202etide\u200b' } })).toBe(
      'created the project “Shop⟨U+202E⟩tide⟨U+200B⟩”',
    );
  });

  it('shows an act of a newer server in words', () => {
    expect(auditSentence({ action: 'satellite:turn-around', detail: {} })).toBe('satellite turn around');
  });
});

it('every act belongs to a kind that the log can be filtered by', () => {
  const kinds = AUDIT_KINDS.map(({ value }) => value.replace('*', ''));
  expect(AUDIT_ACTIONS.filter((action) => !kinds.some((kind) => action.startsWith(kind)))).toEqual([]);
});
