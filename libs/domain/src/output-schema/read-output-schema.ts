import { OUTPUT_SCHEMA_LIMIT_BYTES, OUTPUT_SCHEMA_MAX_DEPTH, type OutputSchema } from '@chirality/contracts';

/** Of these the keywords that are common are the same; it is judged as draft 7, which the program knows. */
const DRAFTS = [
  /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/,
  /^https:\/\/json-schema\.org\/draft\/20(19-09|20-12)\/schema$/,
];

/**
 * The schema in a value of JSON, without the name of its draft; or in one sentence why it is not taken: not an object
 * that describes an object, too large or too deep, of a draft that is not known. Whether it is a schema in every part
 * is not looked at.
 */
export function readOutputSchema(value: unknown): { schema: OutputSchema } | { fault: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: 'A schema is a JSON object, such as { "type": "object", "properties": { … } }.' };
  const { $schema: draft, ...schema } = value as OutputSchema;
  if (draft !== undefined && !DRAFTS.some((known) => typeof draft === 'string' && known.test(draft)))
    return { fault: 'The draft that $schema names is not known. Write the schema in JSON Schema draft 7.' };
  if (schema['type'] !== 'object') return { fault: 'The answer has to be an object: add "type": "object" at the top.' };
  if (isDeeperThan(schema, OUTPUT_SCHEMA_MAX_DEPTH))
    return { fault: `The schema is nested too deeply; at most ${OUTPUT_SCHEMA_MAX_DEPTH} levels are taken.` };
  const bytes = new TextEncoder().encode(JSON.stringify(schema)).length;
  if (bytes > OUTPUT_SCHEMA_LIMIT_BYTES)
    return { fault: `The schema has ${bytes} bytes; at most ${OUTPUT_SCHEMA_LIMIT_BYTES} are taken.` };
  return { schema };
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
