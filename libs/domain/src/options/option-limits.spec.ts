import type { OptionLimits, Options } from '@chirality/contracts';
import fc from 'fast-check';
import { BUILT_IN_OPTIONS } from './built-in-options';
import { limitBreaches, limitSentence, limitsInForce, limitText } from './option-limits';
import { optionValues, resolveOptions } from './resolve-options';

const amounts = { maxTurns: fc.integer({ min: 1, max: 1000 }), timeoutMs: fc.integer({ min: 1_000, max: 86_400_000 }) };
const some: fc.Arbitrary<Options & OptionLimits> = fc.record(amounts, { requiredKeys: [] });
const levels = fc.record({ turn: some, session: some, persona: some, project: some, team: some }, { requiredKeys: [] });
const limitsOfBoth = fc.record({ project: some, team: some }, { requiredKeys: [] });
const modes = fc.constantFrom('workbench' as const, 'pipeline' as const, 'direct' as const);
const KEYS = ['maxTurns', 'timeoutMs'] as const;

describe('limits of project and team', () => {
  it('are passed by no level, whatever each of them asks for', () => {
    fc.assert(
      fc.property(levels, limitsOfBoth, modes, (chain, limits, mode) => {
        const resolved = resolveOptions({ ...chain, builtIn: BUILT_IN_OPTIONS(mode), limits });
        for (const key of KEYS)
          for (const limit of [limits.project?.[key], limits.team?.[key]])
            if (limit !== undefined) expect(resolved[key]?.value).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it('change nothing below them, and are named where they hold', () => {
    fc.assert(
      fc.property(levels, limitsOfBoth, modes, (chain, limits, mode) => {
        const free = resolveOptions({ ...chain, builtIn: BUILT_IN_OPTIONS(mode) });
        const resolved = resolveOptions({ ...chain, builtIn: BUILT_IN_OPTIONS(mode), limits });
        for (const key of KEYS) {
          const limit = limitsInForce(limits)[key];
          const isBeyond = limit !== undefined && Number(free[key]?.value) > limit.value;
          expect(resolved[key]).toEqual({
            ...(isBeyond ? { value: limit.value, from: limit.from } : free[key]),
            ...(limit === undefined ? {} : { limit }),
          });
        }
      }),
    );
  });

  it('are resolved to nothing that would be denied, and deny all that resolving would lower', () => {
    fc.assert(
      fc.property(some, limitsOfBoth, (asked, limits) => {
        const inForce = limitsInForce(limits);
        const resolved = resolveOptions({ turn: asked, builtIn: BUILT_IN_OPTIONS('workbench'), limits });
        expect(limitBreaches(optionValues(resolved), inForce)).toEqual([]);
        const lowered = KEYS.filter((key) => asked[key] !== undefined && asked[key] !== resolved[key]?.value);
        expect(limitBreaches(asked, inForce).map(({ option }) => option)).toEqual(lowered);
      }),
    );
  });

  it('bound also what no level names', () => {
    const limits = { project: { maxTurns: 5 }, team: { timeoutMs: 60_000 } };
    expect(resolveOptions({ builtIn: {}, limits })).toMatchObject({
      maxTurns: { value: 5, from: 'project', limit: { value: 5, from: 'project' } },
      timeoutMs: { value: 60_000, from: 'team', limit: { value: 60_000, from: 'team' } },
    });
  });

  it('are the team’s where both are the same', () => {
    expect(limitsInForce({ project: { maxTurns: 5 }, team: { maxTurns: 5 } })).toEqual({
      maxTurns: { value: 5, from: 'team' },
    });
    expect(limitsInForce({ project: null })).toEqual({});
  });

  it.each<['maxTurns' | 'timeoutMs', number, string]>([
    ['maxTurns', 1, '1 model turn'],
    ['maxTurns', 40, '40 model turns'],
    ['timeoutMs', 1_500, '1.5 s'],
    ['timeoutMs', 45_000, '45 s'],
    ['timeoutMs', 1_800_000, '30 min'],
    ['timeoutMs', 5_400_000, '1 h 30 min'],
    ['timeoutMs', 86_400_000, '24 h'],
    ['timeoutMs', 3_601_000, '1 h 1 s'],
  ])('%s %d reads as %s', (option, value, text) => {
    expect(limitText(option, value)).toBe(text);
    expect(limitSentence(option, { value, from: 'project' })).toBe(`At most ${text}, set by the project.`);
  });
});
