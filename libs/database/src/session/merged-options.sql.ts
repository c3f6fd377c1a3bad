/**
 * The options `kept` with those of `change` set and its nulls removed. Both are expressions of JSON objects. Not by way
 * of `jsonb`, which refuses texts that `json` holds.
 */
export function mergedOptionsSql(kept: string, change: string): string {
  return `coalesce((SELECT json_object_agg(one.key, one.value) FROM (
      SELECT key, value FROM json_each(${kept}) WHERE key NOT IN (SELECT json_object_keys(${change}))
      UNION ALL SELECT key, value FROM json_each(${change}) WHERE json_typeof(value) <> 'null') one), '{}')`;
}
