// A generator of Prisma's (schema.prisma, `generator rows`). It writes rows.ts: a `TurnRow` for the model `Turn`, with the
// names of its columns and what raw SQL reads from them, and the column of each field. And it gives the client's own types
// what the schema says of text and JSON: a line `/// [Role]` above a field means that its values, or the members of its
// list, are of the type `Role` of libs/contracts; it may also name literals, `/// ['allow' | 'deny']`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const CONTRACTS = `import type * as contracts from '@chirality/contracts';`;

/** What the driver makes of a column: numbers that JavaScript's own cannot hold come as text. */
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

/** What its documentation says that the values of a field are, beside what their column says. */
function contractOf({ documentation = '' }) {
  const [, type] = /^\[([A-Z'].*)\]$/m.exec(documentation) ?? [];
  return type === undefined ? null : type.replace(/\b[A-Z]\w*/g, 'contracts.$&');
}

const inList = ({ isList }, type) => (isList && type.includes('|') ? `(${type})` : type);

function columnType(field) {
  const contract = contractOf(field);
  const single = contract === null ? DRIVER_TYPES[field.type] : inList(field, contract);
  if (single === undefined) throw new Error(`no type is known of a column of ${field.type}`);
  return `${single}${field.isList ? '[]' : ''}${field.isRequired ? '' : ' | null'}`;
}

const columnsOf = (model) => model.fields.filter(({ kind }) => kind === 'scalar');

function rowType(model) {
  const columns = columnsOf(model).map((field) => `  ${field.dbName ?? field.name}: ${columnType(field)};`);
  return [
    `/** A row of \`${model.dbName ?? model.name}\`. */`,
    `export interface ${model.name}Row {`,
    ...columns,
    '}',
  ].join('\n');
}

/** The column of each field: text that reads a row under the names that the client gives it. */
function columnNames(models) {
  const entries = models.map(
    (model) =>
      `  ${model.name}: {${columnsOf(model)
        .map(({ name, dbName }) => ` ${name}: '${dbName ?? name}'`)
        .join(',')} },`,
  );
  return `export const COLUMNS = {\n${entries.join('\n')}\n} as const;\n`;
}

function rowTypes(models) {
  return `// Generated from prisma/schema.prisma: npm run generate.\n${CONTRACTS}\n\n${[...models.map(rowType), columnNames(models)].join('\n\n')}`;
}

/** The client's file of a model with the types of contracts in place of `string` and JSON. */
function narrowedClient(text, model) {
  const narrowed = columnsOf(model).filter((field) => contractOf(field) !== null);
  if (narrowed.length === 0) return text;
  const begin = text.indexOf(`export type $${model.name}Payload<`);
  const end = text.indexOf('composites: {}', begin);
  let payload = text.slice(begin, end);
  for (const field of narrowed) {
    const line = new RegExp(`^(    ${field.name}: )(?:string|runtime\\.JsonValue)((?:\\[\\])?(?: \\| null)?)$`, 'm');
    if (begin < 0 || end < 0 || !line.test(payload))
      throw new Error(`the client of this Prisma has no ${model.name}.${field.name} where it was looked for`);
    payload = payload.replace(line, `$1${inList(field, contractOf(field))}$2`);
  }
  const imports = text.indexOf('import type * as runtime');
  return `${text.slice(0, imports)}${CONTRACTS}\n${text.slice(imports, begin)}${payload}${text.slice(end)}`;
}

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

/** Prisma speaks JSON-RPC with a generator: requests on its input, answers on its error output. */
const ANSWERS = {
  getManifest: () => ({ manifest: { prettyName: 'row types', requiresGenerators: ['prisma-client'] } }),
  generate: (params) => {
    generate(params);
    return null;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = (body) => process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
  try {
    answer({ result: ANSWERS[method]?.(params) ?? null });
  } catch (error) {
    answer({ error: { code: -32_000, message: error.message, data: { stack: error.stack } } });
  }
}
