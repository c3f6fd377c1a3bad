import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';

/** @typedef {import('pg').QueryArrayConfig} QueryConfig */

const require = createRequire(import.meta.url);
const FILTERS = { externalTables: [], externalEnums: [] };
const CHAR_OID = 18;
const TEXT_OID = 25;

let started = false;

function startEngine() {
  if (started) return;
  started = true;
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message: (/** @type {string} */ message) => process.stderr.write(`schema engine: ${message}\n`),
    },
  });
  const file = join(dirname(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg')), 'schema_engine_bg.wasm');
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), {
    './schema_engine_bg.js': bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start?.();
}

/**
 * pg_catalog has columns of the one-byte type "char", which the adapter does not know and the engine reads as a
 * character. Such results pass the adapter as text and get their true type back afterwards.
 */
class CatalogPool extends pg.Pool {
  /** @type {boolean[]} */
  charColumns = [];

  /** @param {string} connectionString */
  constructor(connectionString) {
    super({ connectionString, max: 1 });
    // Of the many forms of this method the adapter uses one, which no override can say.
    Object.assign(this, { query: (/** @type {QueryConfig} */ config) => this.#ask(config) });
  }

  /** @param {QueryConfig} config */
  async #ask(config) {
    const result = await super.query(config);
    this.charColumns = (result.fields ?? []).map((field) => field.dataTypeID === CHAR_OID);
    for (const field of result.fields ?? []) if (field.dataTypeID === CHAR_OID) field.dataTypeID = TEXT_OID;
    return result;
  }
}

/** @param {CatalogPool} pool */
function adapterFactory(pool) {
  const factory = new PrismaPg(pool);
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      pool.charColumns.forEach((isChar, index) => {
        if (isChar) result.columnTypes[index] = ColumnTypeEnum.Character;
      });
      return result;
    };
    return adapter;
  };
  return bindMigrationAwareSqlAdapterFactory(factory);
}

/**
 * The SQL that leads from the database as it is to the schema file, or null when they agree.
 * @param {string} databaseUrl
 * @param {string} schemaPath
 * @returns {Promise<string | null>}
 */
export async function diffToSchema(databaseUrl, schemaPath) {
  startEngine();
  const files = [{ path: schemaPath, content: readFileSync(schemaPath, 'utf8') }];
  const pool = new CatalogPool(databaseUrl);
  try {
    const engine = await bindings.SchemaEngine.new(
      { datamodels: files.map(({ path, content }) => [path, content]) },
      () => undefined,
      adapterFactory(pool),
    );
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: dirname(schemaPath) },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: FILTERS,
    });
    engine.free();
    return exitCode === 2 ? stdout : null;
  } finally {
    await pool.end();
  }
}
