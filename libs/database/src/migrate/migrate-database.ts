import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { DatabaseNewerError, MigrationEditedError, MigrationFailedError } from './migration-errors';
import { MIGRATIONS_DIRECTORY, readMigrationFiles, type MigrationFile } from './migration-files';

/** Taken for the length of a migration, so that several processes may start at once. */
const ADVISORY_LOCK_KEY = 7_021_453;

/** The table as Prisma makes it, so that its tools read our history. */
const HISTORY_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

const SILENT_MS = 30_000;

/**
 * Applies what is missing, in order, each migration with its history row in one transaction. Safe to call from several
 * processes at once: the others wait. Throws DatabaseNewerError before any change when the database knows a migration
 * that the directory lacks, MigrationEditedError when an applied one was edited, MigrationFailedError when SQL fails.
 */
export async function migrateDatabase(
  databaseUrl: string,
  directory = MIGRATIONS_DIRECTORY,
): Promise<{ applied: string[] }> {
  const files = await readMigrationFiles(directory);
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  // Without a listener a server that goes away ends the process instead of failing the query under way.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // One that is stopped or cut off between two statements does not keep the others waiting for as long.
    await client.query(`SET idle_session_timeout = '${SILENT_MS}ms'`);
    await client.query(`SET idle_in_transaction_session_timeout = '${SILENT_MS}ms'`);
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK_KEY]);
    await client.query(HISTORY_TABLE);
    const pending = await pendingMigrations(client, files);
    for (const file of pending) await applyMigration(client, file);
    return { applied: pending.map((file) => file.name) };
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function pendingMigrations(client: Client, files: MigrationFile[]): Promise<MigrationFile[]> {
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name',
  );
  const known = new Map(files.map((file) => [file.name, file]));
  const unknown = rows.filter((row) => !known.has(row.migration_name)).map((row) => row.migration_name);
  if (unknown.length > 0) throw new DatabaseNewerError(unknown);
  const edited = rows.find((row) => known.get(row.migration_name)?.checksum !== row.checksum);
  if (edited) throw new MigrationEditedError(edited.migration_name);
  const applied = new Set(rows.map((row) => row.migration_name));
  return files.filter((file) => !applied.has(file.name));
}

async function applyMigration(client: Client, file: MigrationFile): Promise<void> {
  await client.query('BEGIN');
  try {
    // One simple query: the server itself splits the statements, so bodies between $$ stay whole.
    await client.query(file.sql);
    await client.query(
      'INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, applied_steps_count) VALUES ($1, $2, now(), $3, 1)',
      [randomUUID(), file.checksum, file.name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new MigrationFailedError(file.name, error);
  }
}
