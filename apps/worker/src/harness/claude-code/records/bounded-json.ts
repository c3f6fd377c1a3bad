/** Deeper than this, whatever walks the value by recursion (JSON, masking, the browser) would be at risk. */
export const MAX_JSON_DEPTH = 100;
export const TOO_DEEP = '«nested too deeply»';

/**
 * The same value when it is at most `MAX_JSON_DEPTH` levels deep, otherwise a copy in which everything below is replaced
 * by `TOO_DEEP`. Looks at each node once.
 */
export function boundDepth(value: unknown): unknown {
  return isDeeperThan(value, MAX_JSON_DEPTH) ? cutBelow(value, MAX_JSON_DEPTH) : value;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const children = Array.isArray(value) ? value : Object.values(value);
  return children.some((child) => isDeeperThan(child, levels - 1));
}

function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((child) => cutBelow(child, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, cutBelow(child, levels - 1)]));
}
