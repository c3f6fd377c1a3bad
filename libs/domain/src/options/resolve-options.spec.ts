import type { Options } from '@chirality/contracts';
import fc from 'fast-check';
import { ruleCovers } from '../permission/intersect-rules';
import { BUILT_IN_OPTIONS } from './built-in-options';
import { optionValues, resolveOptions, type OptionChain } from './resolve-options';

const tools = fc.subarray(['Read', 'Edit', 'Write', 'Bash', 'Grep']);
const rules = fc.subarray([
  'Bash',
  'Bash(git *)',
  'Bash(git push *)',
  'Bash(npm test)',
  'Edit',
  'Edit(src/**)',
  'mcp__db',
]);
const options: fc.Arbitrary<Options> = fc.record(
  {
    model: fc.constantFrom('opus', 'sonnet', 'haiku'),
    effort: fc.constantFrom('low', 'medium', 'high', 'xhigh', 'max'),
    maxTurns: fc.integer({ min: 1, max: 100 }),
    permissionMode: fc.constantFrom('default', 'acceptEdits', 'dontAsk', 'plan'),
    strict: fc.boolean(),
    tools: fc.oneof(tools, fc.constant('default' as const)),
    disallowedTools: tools,
    autoApproveTools: rules,
    context: fc.constantFrom('resume', 'fresh'),
  },
  { requiredKeys: [] },
);
const chain: fc.Arbitrary<OptionChain> = fc.record({
  turn: fc.option(options),
  session: fc.option(options),
  persona: fc.option(options),
  project: fc.option(options),
  team: fc.option(options),
  builtIn: fc.constantFrom(BUILT_IN_OPTIONS('workbench'), BUILT_IN_OPTIONS('pipeline')),
});
const NEAREST_FIRST = ['turn', 'session', 'persona', 'project', 'team'] as const;

describe('resolving options', () => {
  it('takes each scalar from the nearest link that names it', () => {
    fc.assert(
      fc.property(
        chain,
        fc.constantFrom('model', 'effort', 'maxTurns', 'permissionMode', 'strict', 'context', 'timeoutMs'),
        (links, key) => {
          const from = NEAREST_FIRST.find((link) => links[link]?.[key] !== undefined) ?? 'built-in';
          const value = (from === 'built-in' ? links.builtIn : links[from])?.[key];
          // What no link names, the program decides.
          expect(resolveOptions(links)[key]).toEqual(value === undefined ? undefined : { value, from });
        },
      ),
    );
  });

  it('adds up what is switched off', () => {
    fc.assert(
      fc.property(chain, (links) => {
        const all = new Set(NEAREST_FIRST.flatMap((from) => links[from]?.disallowedTools ?? []));
        expect(new Set(resolveOptions(links).disallowedTools?.value)).toEqual(all);
      }),
    );
  });

  it('never gives a nearer link a tool that an outer one did not list', () => {
    fc.assert(
      fc.property(chain, (links) => {
        const resolved = resolveOptions(links).tools?.value;
        for (const from of NEAREST_FIRST) {
          const list = links[from]?.tools;
          if (list === undefined || list === 'default') continue;
          expect(resolved).not.toBe('default');
          expect(list).toEqual(expect.arrayContaining(resolved as string[]));
        }
      }),
    );
  });

  it('never approves automatically what any link that mentions it would not', () => {
    fc.assert(
      fc.property(chain, (links) => {
        const resolved = resolveOptions(links).autoApproveTools?.value ?? [];
        for (const from of NEAREST_FIRST) {
          const list = links[from]?.autoApproveTools;
          if (list)
            for (const rule of resolved)
              expect([rule, list.some((wide) => ruleCovers(wide, rule))]).toEqual([rule, true]);
        }
      }),
    );
  });

  it('names the link that narrowed a list', () => {
    const resolved = resolveOptions({
      turn: { tools: ['Read', 'Edit', 'Bash'], autoApproveTools: ['Bash'] },
      session: { disallowedTools: ['Bash'] },
      team: { tools: ['Read', 'Edit'], autoApproveTools: ['Bash(git *)'], disallowedTools: ['WebSearch'] },
      builtIn: BUILT_IN_OPTIONS('workbench'),
    });
    expect(resolved).toMatchObject({
      tools: { value: ['Read', 'Edit'], from: 'team' },
      autoApproveTools: { value: ['Bash(git *)'], from: 'team' },
      disallowedTools: { value: ['WebSearch', 'Bash'], from: 'session' },
      maxTurns: { value: 25, from: 'built-in' },
    });
    expect(resolved.appendPrompt).toBeUndefined();
  });

  it('gives bare values back', () => {
    expect(optionValues(resolveOptions({ turn: { model: 'opus' }, builtIn: BUILT_IN_OPTIONS('pipeline') }))).toEqual({
      model: 'opus',
      maxTurns: 25,
      permissionMode: 'dontAsk',
      tools: 'default',
      disallowedTools: [],
      autoApproveTools: [],
      strict: false,
      timeoutMs: 1_800_000,
      context: 'fresh',
    });
  });
});
