import { bootFingerprint, type BootFacts } from './boot-fingerprint';

const PERSONA = { key: 'reviewer', origin: 'project', contentHash: 'a'.repeat(64), approval: null } as const;
const APPROVAL = { userId: 'user_01J0000000000000000000000A', name: 'Ada', at: '2026-01-01T00:00:00.000Z' };
const facts: BootFacts = {
  persona: PERSONA,
  mode: 'workbench',
  sessionOptions: { model: 'sonnet', maxTurns: 5 },
  harness: 'claude-code',
  claudeVersion: '2.1.332',
};

describe('the fingerprint of a boot', () => {
  it('is the same for the same facts in another order', () => {
    expect(bootFingerprint({ ...facts, sessionOptions: { maxTurns: 5, model: 'sonnet' } })).toBe(
      bootFingerprint(facts),
    );
    expect(bootFingerprint(facts)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, Partial<BootFacts>]>([
    ['the persona', { persona: null }],
    ['the persona’s text', { persona: { ...PERSONA, contentHash: 'b'.repeat(64) } }],
    ['where the persona comes from', { persona: { ...PERSONA, origin: 'team' } }],
    ['an approval of the persona', { persona: { ...PERSONA, approval: APPROVAL } }],
    ['the mode', { mode: 'pipeline' }],
    ['the options', { sessionOptions: { model: 'opus', maxTurns: 5 } }],
    ['the harness', { harness: 'agent-sdk' }],
    ['the program', { claudeVersion: '2.2.0' }],
  ])('changes with %s', (_what, change) => {
    expect(bootFingerprint({ ...facts, ...change })).not.toBe(bootFingerprint(facts));
  });
});
