import { argumentsByFlag } from './program-arguments';

export type SpawnRequest = {
  command: string;
  args: readonly string[];
  cwd: string | null;
  env: Readonly<Record<string, string>>;
};

/** Without it the program would want a terminal; the SDK has its output format say the same. */
const OURS_ALONE: ReadonlySet<string> = new Set(['-p']);

/**
 * Where what the SDK would start is not what was started: one line for each, with the names of what differs and never a
 * value. Empty where they are the same, whatever the order.
 */
export function spawnDifferences(asked: SpawnRequest, ours: SpawnRequest): string[] {
  const differences: string[] = [];
  if (asked.command !== ours.command) differences.push('program');
  if (asked.cwd !== ours.cwd) differences.push('working directory');
  const wanted = argumentsByFlag(asked.args);
  const started = argumentsByFlag(ours.args);
  if (wanted === null || started === null) differences.push('arguments that cannot be read');
  else {
    for (const flag of OURS_ALONE) started.delete(flag);
    differences.push(...different(wanted, started).map((flag) => `argument ${flag}`));
  }
  const variables = different(new Map(Object.entries(asked.env)), new Map(Object.entries(ours.env)));
  return [...differences, ...variables.map((name) => `variable ${name}`)];
}

function different<V>(one: ReadonlyMap<string, V>, other: ReadonlyMap<string, V>): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.has(name) !== other.has(name) || one.get(name) !== other.get(name));
}
