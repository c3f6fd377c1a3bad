type Schema = Record<string, unknown>;

/** Deeper than this only what a schema requires is filled in. */
const OPTIONAL_LEVELS = 4;
/** A schema may refer to itself; here an example of it ends, whatever the schema says. */
const MAX_LEVELS = 24;
const MAX_ITEMS = 20;
const FORMATS: Record<string, string> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  email: 'someone@example.org',
  uri: 'https://example.org/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/**
 * An example of what a JSON schema of draft 7 describes: by its constants, enumerations, types, bounds, required
 * properties, local references and the first of its alternatives. What only a search would satisfy (`pattern`, `not`,
 * `if`) is not looked at. Never throws.
 */
export function sampleValue(schema: unknown): unknown {
  return sampleOf(schema, schema, 0);
}

function sampleOf(given: unknown, root: unknown, level: number): unknown {
  const schema = resolved(given, root);
  if (level > MAX_LEVELS) return null;
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if ('default' in schema) return schema['default'];
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) {
    const { anyOf: _, oneOf: __, ...rest } = schema;
    return sampleOf(together([rest, alternatives[0]], root), root, level + 1);
  }
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, root, level);
    case 'array':
      return arrayOf(schema, root, level);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return stringOf(schema);
  }
}

/** The schema that a reference inside the whole one names, and what `allOf` puts together. */
function resolved(given: unknown, root: unknown): Schema {
  let schema = asSchema(given);
  for (let hops = 0; typeof schema['$ref'] === 'string' && hops < MAX_LEVELS; hops += 1)
    schema = asSchema(targetOf(schema['$ref'], root));
  const { allOf, ...rest } = schema;
  return Array.isArray(allOf) ? together([rest, ...(allOf as unknown[])], root) : schema;
}

function targetOf(reference: string, root: unknown): unknown {
  const steps = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  return steps.reduce<unknown>((at, step) => asSchema(at)[step.replaceAll('~1', '/').replaceAll('~0', '~')], root);
}

function together(parts: unknown[], root: unknown): Schema {
  return parts
    .map((part) => resolved(part, root))
    .reduce((whole, part) => ({
      ...whole,
      ...part,
      properties: { ...asSchema(whole['properties']), ...asSchema(part['properties']) },
      required: [...namesIn(whole['required']), ...namesIn(part['required'])],
    }));
}

function typeOf(schema: Schema): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? 'null';
  if (type !== undefined) return type;
  if (namesIn(schema['required']).length > 0 || Object.keys(asSchema(schema['properties'])).length > 0) return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}

function objectOf(schema: Schema, root: unknown, level: number): Schema {
  const properties = asSchema(schema['properties']);
  const names = level < OPTIONAL_LEVELS ? Object.keys(properties) : [];
  const all = new Set([...names, ...namesIn(schema['required'])]);
  return Object.fromEntries([...all].map((name) => [name, sampleOf(properties[name], root, level + 1)]));
}

function arrayOf(schema: Schema, root: unknown, level: number): unknown[] {
  const { items } = schema;
  if (Array.isArray(items)) return items.map((item) => sampleOf(item, root, level + 1));
  const wanted = asNumber(schema['minItems']) ?? (level < OPTIONAL_LEVELS ? 1 : 0);
  const count = Math.min(wanted, asNumber(schema['maxItems']) ?? wanted, MAX_ITEMS);
  return Array.from({ length: count }, () => sampleOf(items, root, level + 1));
}

function numberOf(schema: Schema): number {
  const step = asNumber(schema['multipleOf']) ?? 1;
  const least = asNumber(schema['minimum']) ?? after(asNumber(schema['exclusiveMinimum']), step);
  const most = asNumber(schema['maximum']) ?? after(asNumber(schema['exclusiveMaximum']), -step);
  if (least !== null) return Math.ceil(least / step) * step;
  return most === null || most >= step ? step : Math.floor(most / step) * step;
}

function after(bound: number | null, step: number): number | null {
  return bound === null ? null : bound + step;
}

function stringOf(schema: Schema): string {
  const text = FORMATS[String(schema['format'])] ?? 'example';
  const least = Math.min(asNumber(schema['minLength']) ?? 0, 10_000);
  return text.padEnd(least, '.').slice(0, asNumber(schema['maxLength']) ?? undefined);
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

function asNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
