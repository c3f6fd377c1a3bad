import {
  LIMITED_OPTIONS,
  OPTION_ORIGINS,
  type Options,
  type OptionOrigin,
  type ResolvedOptions,
} from '@chirality/contracts';
import { intersectRules } from '../permission/intersect-rules';
import { limitsInForce, type LimitChain } from './option-limits';

export type OptionChain = {
  turn?: Options | null | undefined;
  session?: Options | null | undefined;
  persona?: Options | null | undefined;
  project?: Options | null | undefined;
  team?: Options | null | undefined;
  builtIn: Options;
  /** What no link may go beyond. */
  limits?: LimitChain;
};

type Link = { from: OptionOrigin; options: Options };

const SCALARS = [
  'model',
  'effort',
  'maxTurns',
  'permissionMode',
  'strict',
  'appendPrompt',
  'maxBudgetUsd',
  'timeoutMs',
  'context',
] as const satisfies readonly (keyof Options)[];

/**
 * Every option with the value that holds and where it came from. Scalars: the nearest link wins. `disallowedTools`:
 * all links add up. `tools` and `autoApproveTools`: the outermost link that names a list sets the bound, and every
 * nearer one can only narrow it. A list's origin is the nearest link that changed it. What goes beyond a limit becomes
 * that limit, and comes from who set it.
 */
export function resolveOptions(chain: OptionChain): ResolvedOptions {
  const nearestFirst = OPTION_ORIGINS.flatMap((from): Link[] => {
    const options = from === 'built-in' ? chain.builtIn : chain[from];
    return options ? [{ from, options }] : [];
  });
  const outermostFirst = [...nearestFirst].reverse();
  const resolved: ResolvedOptions = {};
  for (const key of SCALARS) assignScalar(resolved, key, nearestFirst);
  capLimited(resolved, chain.limits ?? {});
  resolved.tools = narrow(outermostFirst, (options) => options.tools, sharedTools) ?? {
    value: 'default',
    from: 'built-in',
  };
  resolved.disallowedTools = addUp(outermostFirst);
  resolved.autoApproveTools = autoApproved(outermostFirst);
  return resolved;
}

/** The bare values of resolved options. */
export function optionValues(resolved: ResolvedOptions): Options {
  return Object.fromEntries(
    Object.entries(resolved).flatMap(([key, entry]) => (entry === undefined ? [] : [[key, entry.value]])),
  );
}

function assignScalar<K extends (typeof SCALARS)[number]>(
  resolved: ResolvedOptions,
  key: K,
  nearestFirst: Link[],
): void {
  const link = nearestFirst.find(({ options }) => options[key] !== undefined);
  if (link) resolved[key] = { value: link.options[key], from: link.from } as ResolvedOptions[K];
}

function capLimited(resolved: ResolvedOptions, limits: LimitChain): void {
  const inForce = limitsInForce(limits);
  for (const key of LIMITED_OPTIONS) {
    const [asked, limit] = [resolved[key], inForce[key]];
    if (limit) resolved[key] = asked && asked.value <= limit.value ? { ...asked, limit } : { ...limit, limit };
  }
}

function narrow(
  outermostFirst: Link[],
  listOf: (options: Options) => string[] | 'default' | undefined,
  shared: (outer: readonly string[], inner: readonly string[]) => string[],
): { value: string[] | 'default'; from: OptionOrigin } | undefined {
  let current: { value: string[] | 'default'; from: OptionOrigin } | undefined;
  for (const { from, options } of outermostFirst) {
    const list = listOf(options);
    if (list === undefined) continue;
    if (!current || current.value === 'default') current = { value: list, from };
    else if (list !== 'default') {
      const value = shared(current.value, list);
      if (value.join() !== current.value.join()) current = { value, from };
    }
  }
  return current;
}

function autoApproved(outermostFirst: Link[]): { value: string[]; from: OptionOrigin } {
  const found = narrow(outermostFirst, (options) => options.autoApproveTools, intersectRules);
  return found && found.value !== 'default'
    ? { value: found.value, from: found.from }
    : { value: [], from: 'built-in' };
}

function addUp(outermostFirst: Link[]): { value: string[]; from: OptionOrigin } {
  const tools = new Set<string>();
  let from: OptionOrigin = 'built-in';
  for (const link of outermostFirst) {
    const before = tools.size;
    for (const tool of link.options.disallowedTools ?? []) tools.add(tool);
    if (tools.size > before) from = link.from;
  }
  return { value: [...tools], from };
}

function sharedTools(outer: readonly string[], inner: readonly string[]): string[] {
  return outer.filter((tool) => inner.includes(tool));
}
