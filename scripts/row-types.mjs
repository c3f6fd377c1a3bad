// A generator of Prisma's (schema.prisma, `generator rows`). It writes rows.ts: a `TurnRow` for the model `Turn`, with
// the names of its columns and what raw SQL reads from them, and the column of each field. And it gives the client's
// own types what the schema says of text and JSON: a line `/// [Role]` above a field means that its values, or the
// members of its list, are of the type `Role` of libs/contracts; it may also name literals, `/// ['allow' | 'deny']`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { messageOf, textIn } from '../launcher/text/errors.mjs';

/**
 * @typedef {object} Field What is read here of a field as Prisma describes it.
 * @property {string} name
 * @property {string | null} [dbName] where the column is not called so
 * @property {string} kind
 * @property {string} type
 * @property {boolean} isRequired
 * @property {boolean} [isList]
 * @property {string} [documentation]
 * @typedef {{ name: string, dbName?: string | null, fields: Field[] }} Model
 * @typedef {{ generator: { output: { value: string } }, dmmf: { datamodel: { models: Model[] } } }} Parameters
 */

const CONTRACTS = `import type * as contracts from '@chirality/contracts';`;

/**
 * What the driver makes of a column: numbers that JavaScript's own cannot hold come as text.
 * @type {Record<string, string>}
 */
const DRIVER_TYPES = {
  String: 'string',
  Boolean: 'boolean',
  Int: 'number',
  Float: 'number',
  BigInt: 'string',
  Decimal: 'string',
  DateTime: 'Date',
  Bytes: 'Buffer',
  Json: 'unknown',
};

/**
 * What its documentation says that the values of a field are, beside what their column says.
 * @param {Field} field
 */
function contractOf({ documentation = '' }) {
  const [, type] = /^\[([A-Z'].*)\]$/m.exec(documentation) ?? [];
  return type === undefined ? null : type.replace(/\b[A-Z]\w*/g, 'contracts.$&');
}

/** @type {(field: Field, type: string) => string} */
const inList = ({ isList }, type) => (isList && type.includes('|') ? `(${type})` : type);

/** @param {Field} field */
function columnType(field) {
  const contract = contractOf(field);
  const single = contract === null ? DRIVER_TYPES[field.type] : inList(field, contract);
  if (single === undefined) throw new Error(`no type is known of a column of ${field.type}`);
  return `${single}${field.isList ? '[]' : ''}${field.isRequired ? '' : ' | null'}`;
}

/** @type {(model: Model) => Field[]} */
const columnsOf = (model) => model.fields.filter(({ kind }) => kind === 'scalar');

/** @param {Model} model */
function rowType(model) {
  const columns = columnsOf(model).map((field) => `  ${field.dbName ?? field.name}: ${columnType(field)};`);
  return [
    `/** A row of \`${model.dbName ?? model.name}\`. */`,
    `export interface ${model.name}Row {`,
    ...columns,
    '}',
  ].join('\n');
}

/**
 * The column of each field: text that reads a row under the names that the client gives it.
 * @param {Model[]} models
 */
function columnNames(models) {
  const entries = models.map(
    (model) =>
      `  ${model.name}: {${columnsOf(model)
        .map(({ name, dbName }) => ` ${name}: '${dbName ?? name}'`)
        .join(',')} },`,
  );
  return `export const COLUMNS = {\n${entries.join('\n')}\n} as const;\n`;
}

/** @param {Model[]} models */
function rowTypes(models) {
  return `// Generated from prisma/schema.prisma: npm run generate.\n${CONTRACTS}\n\n${[...models.map(rowType), columnNames(models)].join('\n\n')}`;
}

/**
 * The client's file of a model with the types of contracts in place of `string` and JSON.
 * @param {string} text
 * @param {Model} model
 */
function narrowedClient(text, model) {
  const narrowed = columnsOf(model).flatMap((field) => {
    const contract = contractOf(field);
    return contract === null ? [] : [{ name: field.name, type: inList(field, contract) }];
  });
  if (narrowed.length === 0) return text;
  const begin = text.indexOf(`export type $${model.name}Payload<`);
  const end = text.indexOf('composites: {}', begin);
  let payload = text.slice(begin, end);
  for (const { name, type } of narrowed) {
    const line = new RegExp(`^(    ${name}: )(?:string|runtime\\.JsonValue)((?:\\[\\])?(?: \\| null)?)$`, 'm');
    if (begin < 0 || end < 0 || !line.test(payload))
      throw new Error(`the client of this Prisma has no ${model.name}.${name} where it was looked for`);
    payload = payload.replace(line, `$1${type}$2`);
  }
  const imports = text.indexOf('import type * as runtime');
  return `${text.slice(0, imports)}${CONTRACTS}\n${text.slice(imports, begin)}${payload}${text.slice(end)}`;
}

/** @param {Parameters} parameters */
function generate({ generator, dmmf }) {
  const directory = generator.output.value;
  const { models } = dmmf.datamodel;
  writeFileSync(join(directory, 'rows.ts'), rowTypes(models));
  for (const model of models) {
    const path = join(directory, 'models', `${model.name}.ts`);
    const text = readFileSync(path, 'utf8');
    const narrowed = narrowedClient(text, model);
    if (narrowed !== text) writeFileSync(path, narrowed);
  }
}

/**
 * Prisma speaks JSON-RPC with a generator: requests on its input, answers on its error output.
 * @type {Record<string, (params: Parameters) => object | null>}
 */
const ANSWERS = {
  getManifest: () => ({ manifest: { prettyName: 'row types', requiresGenerators: ['prisma-client'] } }),
  generate: (params) => {
    generate(params);
    return null;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = (/** @type {object} */ body) =>
    process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
  try {
    answer({ result: ANSWERS[method]?.(params) ?? null });
  } catch (error) {
    answer({ error: { code: -32_000, message: messageOf(error), data: { stack: textIn(error, 'stack') } } });
  }
}
