// node scripts/migrations.mjs check          fails when schema.prisma and the migrations disagree
// node scripts/migrations.mjs create NAME    writes the migration that makes them agree
// Both work in the directory after --in, which is prisma/ without it.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { requireTypescript } from '../launcher/structure/require-typescript.mjs';
import { diffToSchema } from '../launcher/services/schema-engine.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { in: { type: 'string', default: join(root, 'prisma') } },
});
const schemaPath = join(resolve(values.in), 'schema.prisma');
const migrationsDirectory = join(resolve(values.in), 'migrations');

/** What the schema asks for beyond all migrations: SQL, or null. Works on a separate server. */
async function pendingChange() {
  /** @type {typeof import('../libs/testing/src/postgres/test-postgres.ts')} */
  const { startTestPostgres } = requireTypescript('libs/testing/src/postgres/test-postgres.ts');
  /** @type {typeof import('../libs/database/src/migrate/migrate-database.ts')} */
  const { migrateDatabase } = requireTypescript('libs/database/src/migrate/migrate-database.ts');
  mkdirSync(migrationsDirectory, { recursive: true });
  const postgres = await startTestPostgres();
  try {
    await migrateDatabase(postgres.url, migrationsDirectory);
    return await diffToSchema(postgres.url, schemaPath);
  } finally {
    await postgres.stop();
  }
}

async function check() {
  const sql = await pendingChange();
  if (sql === null) return console.log('migrations and schema.prisma agree');
  console.error(
    `schema.prisma asks for more than the migrations do; run: node scripts/migrations.mjs create NAME\n\n${sql}`,
  );
  process.exitCode = 2;
}

/** @param {string} [name] */
async function create(name) {
  if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name))
    throw new Error('give the migration a name of lower-case letters, digits and underscores');
  const sql = await pendingChange();
  if (sql === null) return console.log('nothing to do: migrations and schema.prisma agree');
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const directory = join(migrationsDirectory, `${stamp}_${name}`);
  mkdirSync(directory);
  writeFileSync(join(directory, 'migration.sql'), sql);
  const lock = join(migrationsDirectory, 'migration_lock.toml');
  if (!existsSync(lock)) writeFileSync(lock, 'provider = "postgresql"\n');
  console.log(`wrote ${directory}`);
}

const [command, name] = positionals;
if (command === 'check') await check();
else if (command === 'create') await create(name);
else {
  console.error('usage: node scripts/migrations.mjs check | create NAME');
  process.exitCode = 64;
}
