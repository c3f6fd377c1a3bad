import { bootFingerprint, type BootFacts } from './boot-fingerprint';

const facts: BootFacts = { persona: { key: 'reviewer', text: 'Review.' }, mode: 'workbench', sessionOptions: { model: 'sonnet', maxTurns: 5 }, harness: 'claude-code', claudeVersion: '2.1.332' };

describe('the fingerprint of a boot', () => {
  it('is the same for the same facts in another order', () => {
    expect(bootFingerprint({ ...facts, sessionOptions: { maxTurns: 5, model: 'sonnet' } })).toBe(bootFingerprint(facts));
    expect(bootFingerprint(facts)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, Partial<BootFacts>]>([
    ['the persona', { persona: null }],
    ['the persona’s text', { persona: { key: 'reviewer', text: 'Review well.' } }],
    ['the mode', { mode: 'pipeline' }],
    ['the options', { sessionOptions: { model: 'opus', maxTurns: 5 } }],
    ['the harness', { harness: 'agent-sdk' }],
    ['the program', { claudeVersion: '2.2.0' }],
  ])('changes with %s', (_what, change) => {
    expect(bootFingerprint({ ...facts, ...change })).not.toBe(bootFingerprint(facts));
  });
});
