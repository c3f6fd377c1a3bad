/**
 * @typedef {import('./surface.mjs').Schema} Schema
 * @typedef {{ before: Record<string, Schema>, now: Record<string, Schema> }} Definitions schemas by name
 * @typedef {{ within: Definitions, isRequest: boolean, seen: Map<Schema, Set<Schema>> }} Comparison
 */

const LOWER_LIMITS = ['minLength', 'minItems', 'minProperties', 'minimum', 'exclusiveMinimum'];
const UPPER_LIMITS = ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'exclusiveMaximum'];

/**
 * How what is sent now differs from what a client of the earlier schema expects to read. More fields and more values of
 * an enumeration are none.
 * @param {string} place
 * @param {Schema} before
 * @param {Schema} now
 * @param {Definitions} within
 */
export function breaksOfAnswer(place, before, now, within) {
  return compare(place, before, now, { within, isRequest: false, seen: new Map() });
}

/**
 * What was accepted before and is refused now.
 * @param {string} place
 * @param {Schema} before
 * @param {Schema} now
 * @param {Definitions} within
 */
export function breaksOfRequest(place, before, now, within) {
  return compare(place, before, now, { within, isRequest: true, seen: new Map() });
}

/**
 * @param {string} place
 * @param {Schema} before
 * @param {Schema} now
 * @param {Comparison} comparison
 * @returns {string[]}
 */
function compare(place, before, now, comparison) {
  const earlier = alternativesOf(before, comparison.within.before);
  const later = alternativesOf(now, comparison.within.now);
  return earlier.length === 1 && later.length === 1 && kindOf(earlier[0]) === kindOf(later[0])
    ? compareOne(place, earlier[0] ?? {}, later[0] ?? {}, comparison)
    : compareSeveral(place, earlier, later, comparison);
}

/**
 * Each alternative of the one side that must be covered is, by the alternative of the other that it differs least from.
 * @param {string} place
 * @param {Schema[]} earlier
 * @param {Schema[]} later
 * @param {Comparison} comparison
 */
function compareSeveral(place, earlier, later, comparison) {
  const kinds = new Set(later.map(kindOf));
  const gone = earlier.filter((one) => !kinds.has(kindOf(one)) && !kinds.has('any')).map(kindOf);
  const known = new Set(earlier.map(kindOf));
  // What is read of an answer must be of a type that was possible before; a further kind of object is an addition.
  const unknown =
    comparison.isRequest || known.has('any')
      ? []
      : later.map(kindOf).filter((kind) => !known.has(kind) && kind !== 'object');
  return [
    ...[...new Set(gone)].map((kind) => `${place}: can no longer be ${kind}`),
    ...[...new Set(unknown)].map((kind) => `${place}: can be ${kind} now`),
    ...earlier.flatMap((one) => {
      const candidates = later.filter((other) => kindOf(other) === kindOf(one));
      const results = candidates.map((other) => compareOne(place, one, other, comparison));
      return results.sort((a, b) => a.length - b.length)[0] ?? [];
    }),
  ];
}

/**
 * Two schemas of one kind.
 * @param {string} place
 * @param {Schema} before
 * @param {Schema} now
 * @param {Comparison} comparison
 * @returns {string[]}
 */
function compareOne(place, before, now, comparison) {
  // Named schemas may refer to themselves: a pair that is being compared, or was, needs no second look.
  const compared = comparison.seen.get(before) ?? new Set();
  if (compared.has(now)) return [];
  comparison.seen.set(before, compared.add(now));
  return [
    ...compareValues(place, before, now, comparison),
    ...(comparison.isRequest ? narrowedLimits(place, before, now) : []),
    ...compareMembers(place, before, now, comparison),
    ...(before.items && now.items ? compare(`${place}[]`, before.items, now.items, comparison) : []),
    ...compareOthers(place, before, now, comparison),
  ];
}

/**
 * @param {string} place
 * @param {Schema} before
 * @param {Schema} now
 * @param {Comparison} comparison
 */
function compareValues(place, before, now, { isRequest }) {
  const [earlier, later] = [valuesOf(before), valuesOf(now)];
  if (later === null) return earlier === null || isRequest ? [] : [`${place}: is no longer one of fixed values`];
  if (earlier === null) return isRequest ? [`${place}: takes fixed values only now`] : [];
  return earlier
    .filter((value) => !later.includes(value))
    .map((value) => `${place}: the value ${JSON.stringify(value)} is gone`);
}

/** @param {Schema} schema @returns {unknown[] | null} */
function valuesOf(schema) {
  if ('const' in schema) return [schema.const];
  return schema.enum ?? null;
}

/**
 * @param {string} place
 * @param {Schema} before
 * @param {Schema} now
 */
function narrowedLimits(place, before, now) {
  const isHigher = (/** @type {string} */ limit) => now[limit] !== undefined && !(before[limit] >= now[limit]);
  const isLower = (/** @type {string} */ limit) => now[limit] !== undefined && !(before[limit] <= now[limit]);
  const isOther = (/** @type {string} */ limit) => now[limit] !== undefined && before[limit] !== now[limit];
  return [
    ...LOWER_LIMITS.filter(isHigher),
    ...UPPER_LIMITS.filter(isLower),
    ...['pattern', 'format', 'multipleOf'].filter(isOther),
  ].map((limit) => `${place}: ${limit} is narrower`);
}

/**
 * @param {string} place
 * @param {Schema} before
 * @param {Schema} now
 * @param {Comparison} comparison
 * @returns {string[]}
 */
function compareMembers(place, before, now, comparison) {
  const { isRequest } = comparison;
  const [earlier, later] = [before.properties ?? {}, now.properties ?? {}];
  const [required, stillRequired] = [new Set(before.required ?? []), new Set(now.required ?? [])];
  return [
    ...Object.entries(earlier).flatMap(([name, schema]) => {
      const field = `${place}.${name}`;
      if (!(name in later)) {
        // A request with a field that is unknown now is still accepted where unknown fields are.
        return isRequest && now.additionalProperties !== false ? [] : [`${field}: is gone`];
      }
      const isNoLongerSure = !isRequest && required.has(name) && !stillRequired.has(name);
      const isWanted = isRequest && stillRequired.has(name) && !required.has(name);
      return [
        ...(isNoLongerSure ? [`${field}: may be missing now`] : []),
        ...(isWanted ? [`${field}: is required now`] : []),
        ...compare(field, schema, later[name], comparison),
      ];
    }),
    ...Object.keys(later)
      .filter((name) => isRequest && !(name in earlier) && stillRequired.has(name))
      .map((name) => `${place}.${name}: is required and new`),
  ];
}

/**
 * Fields without a name that the schema says.
 * @param {string} place
 * @param {Schema} before
 * @param {Schema} now
 * @param {Comparison} comparison
 */
function compareOthers(place, before, now, comparison) {
  const [earlier, later] = [before.additionalProperties, now.additionalProperties];
  if (comparison.isRequest && later === false && earlier !== false && kindOf(before) === 'object')
    return [`${place}: takes no other fields now`];
  return isSchema(earlier) && isSchema(later) ? compare(`${place}.*`, earlier, later, comparison) : [];
}

/** @param {unknown} value @returns {value is Schema} */
function isSchema(value) {
  return typeof value === 'object' && value !== null;
}

/**
 * The schemas one of which a value fits, without references. Fixed values of a union count as one enumeration, so
 * that a further value is no further type.
 * @param {Schema} schema
 * @param {Record<string, Schema>} definitions
 * @returns {Schema[]}
 */
function alternativesOf(schema, definitions) {
  if (schema.$ref) return alternativesOf(definitions[schema.$ref.split('/').at(-1)] ?? {}, definitions);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const all = choices.flatMap((/** @type {Schema} */ each) => alternativesOf(each, definitions));
    const fixed = all.filter((/** @type {Schema} */ each) => valuesOf(each) !== null);
    const rest = all.filter((/** @type {Schema} */ each) => valuesOf(each) === null);
    return fixed.length < 2 ? all : [...joinedByType(fixed), ...rest];
  }
  if (Array.isArray(schema.type)) return schema.type.map((/** @type {string} */ type) => ({ ...schema, type }));
  return [schema];
}

/** @param {Schema[]} fixed */
function joinedByType(fixed) {
  /** @type {Map<string, unknown[]>} */
  const byType = new Map();
  for (const each of fixed) byType.set(kindOf(each), [...(byType.get(kindOf(each)) ?? []), ...(valuesOf(each) ?? [])]);
  return [...byType].map(([type, values]) => ({ type, enum: values }));
}

/** @param {Schema | undefined} schema @returns {string} */
function kindOf(schema) {
  if (schema === undefined) return 'any';
  if (schema.type) return schema.type === 'integer' ? 'number' : schema.type;
  const values = valuesOf(schema);
  if (values) return values[0] === null ? 'null' : typeof values[0];
  return schema.properties ? 'object' : 'any';
}
