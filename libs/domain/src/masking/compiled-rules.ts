import { secretRuleOf, type MaskPattern } from './mask-pattern';
import { PrefixTree } from './prefix-tree';
import { CONTEXT_RULES, SECRET_RULES, type SecretRule } from './secret-rules';

export const STARTS_ANYWHERE = 1;
export const STARTS_WORD = 2;
export const ENDS_CONTEXT = 4;

/** The rules as tables, so that one look per character tells ordinary text from what needs a closer look. */
export type CompiledRules = {
  /** Per UTF-16 unit, how a prefix can start with it. */
  starts: Uint8Array;
  /** Per pair of ASCII characters, whether a prefix starts with it or the words before a secret end with it. */
  pairs: Uint8Array;
  /** Per hash of three ASCII characters, whether a prefix starts with them. */
  triples: Uint8Array;
  /** Per hash of three ASCII characters, whether the words before a secret end with them. */
  endings: Uint8Array;
  startsBeyondAscii: boolean;
  anywhere: PrefixTree;
  words: PrefixTree;
  /** How much of the preceding text must be remembered. */
  reach: number;
  /** Names of fields that were looked at and need no mask, of which a stream of records has few and each many times. */
  cleanNames: Set<string>;
};

const compiled = new WeakMap<readonly MaskPattern[], CompiledRules>();

/** Compiled once per array of patterns, which must not be changed afterwards. */
export function compiledRulesFor(patterns: readonly MaskPattern[]): CompiledRules {
  let rules = compiled.get(patterns);
  if (!rules) {
    rules = compile([...SECRET_RULES, ...patterns.map(secretRuleOf)]);
    compiled.set(patterns, rules);
  }
  return rules;
}

export function pairOf(first: number, second: number): number {
  return (first << 7) | second;
}

export function tripleHash(first: number, second: number, third: number): number {
  return ((first << 8) ^ (second << 4) ^ third) & 0xfff;
}

function compile(rules: readonly SecretRule[]): CompiledRules {
  const starts = new Uint8Array(0x10000);
  const pairs = new Uint8Array(128 * 128);
  const triples = new Uint8Array(0x1000);
  let startsBeyondAscii = false;
  for (const { prefix, anywhere } of rules) {
    const [first, second, third] = [prefix.charCodeAt(0), prefix.charCodeAt(1), prefix.charCodeAt(2)];
    const how = anywhere ? STARTS_ANYWHERE : STARTS_WORD;
    starts[first] = (starts[first] ?? 0) | how;
    triples[tripleHash(first, second, third)] = 1;
    if (first < 128 && second < 128) pairs[pairOf(first, second)] = (pairs[pairOf(first, second)] ?? 0) | how;
    else startsBeyondAscii = true;
  }
  const endings = new Uint8Array(0x1000);
  for (const { ending } of CONTEXT_RULES) markEnding(pairs, endings, ending);
  return {
    starts,
    pairs,
    triples,
    endings,
    startsBeyondAscii,
    anywhere: new PrefixTree(rules.filter((rule) => rule.anywhere)),
    words: new PrefixTree(rules.filter((rule) => !rule.anywhere)),
    reach: Math.max(...CONTEXT_RULES.map((context) => context.reach)),
    cleanNames: new Set(),
  };
}

/** Marks the last two and the last three characters, in either case; of a single character, all pairs that end with it. */
function markEnding(pairs: Uint8Array, endings: Uint8Array, ending: string): void {
  for (let first = 0; first < 128; first += 1) {
    for (let second = 0; second < 128; second += 1) {
      const pair = String.fromCharCode(first, second).toLowerCase();
      if (!pair.endsWith(ending.slice(-2))) continue;
      pairs[pairOf(first, second)] = (pairs[pairOf(first, second)] ?? 0) | ENDS_CONTEXT;
      const third = ending.length < 3 ? undefined : ending.at(-3);
      for (const before of third === undefined ? [] : [third, third.toUpperCase()])
        endings[tripleHash(before.charCodeAt(0), first, second)] = 1;
    }
  }
}

export const BUILT_IN_RULES = compile(SECRET_RULES);
