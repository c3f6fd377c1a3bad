import { auditSentence } from './audit-sentence';

describe('the sentence of an audit entry', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['project:auto-approve', { on: true }, 'switched auto-approve on'],
    ['project:auto-approve', { on: false }, 'switched auto-approve off'],
    ['project-rule:add', { rule: 'Bash(rm *)', effect: 'deny' }, 'added the rule that Bash(rm *) is refused'],
    ['project-rule:remove', { rule: 'Bash', effect: 'ask' }, 'took away the rule that Bash is asked about'],
    ['rule:promote', { rule: 'Bash(make *)' }, 'allowed Bash(make *) in every session'],
    ['something:new', {}, 'something:new'],
  ])('%s %j: %s', (action, detail, sentence) => expect(auditSentence({ action, detail })).toBe(sentence));
});
