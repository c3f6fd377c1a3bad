import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestPostgres, type TestPostgres } from '@chirality/testing';
import { Client } from 'pg';
import { migrateDatabase } from './migrate-database';
import { DatabaseNewerError, MigrationEditedError, MigrationFailedError } from './migration-errors';

const FUNCTION_SQL = `CREATE TABLE note (id int PRIMARY KEY, text text);
CREATE FUNCTION shout(said text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  -- a comment; with semicolons;
  RETURN upper(said) || ';';
END;
$$;
INSERT INTO note VALUES (1, shout('it''s; "fine"'));
`;

describe('migrating the database', () => {
  let postgres: TestPostgres;
  let url: string;
  let directory: string;

  const migration = (name: string, sql: string) => {
    mkdirSync(join(directory, name), { recursive: true });
    writeFileSync(join(directory, name, 'migration.sql'), sql);
  };
  const ask = async (sql: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    return client
      .query(sql)
      .then(({ rows }) => rows as Record<string, unknown>[])
      .finally(() => client.end());
  };

  beforeAll(async () => {
    postgres = await startTestPostgres();
  }, 60_000);
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    url = await postgres.createDatabase();
    directory = mkdtempSync(join(tmpdir(), 'migrate-'));
    writeFileSync(join(directory, 'migration_lock.toml'), 'provider = "postgresql"\n');
    migration('1_note', FUNCTION_SQL);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('applies what is missing in order, bodies between $$ whole, and records it as Prisma does', async () => {
    migration('2_more', 'ALTER TABLE note ADD COLUMN more int');
    expect(await migrateDatabase(url, directory)).toEqual({ applied: ['1_note', '2_more'] });
    expect(await ask('SELECT text, more FROM note')).toEqual([{ text: 'IT\'S; "FINE";', more: null }]);
    const rows = await ask(
      'SELECT migration_name, checksum, finished_at IS NOT NULL AS finished, rolled_back_at, applied_steps_count FROM _prisma_migrations ORDER BY 1',
    );
    expect(rows[0]).toEqual({
      migration_name: '1_note',
      checksum: createHash('sha256').update(FUNCTION_SQL).digest('hex'),
      finished: true,
      rolled_back_at: null,
      applied_steps_count: 1,
    });
    expect(await migrateDatabase(url, directory)).toEqual({ applied: [] });
  });

  test('of ten at once one migrates and the others find it done', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => migrateDatabase(url, directory)));
    expect(results.flatMap(({ applied }) => applied)).toEqual(['1_note']);
  });

  test('a migration that fails leaves nothing behind, and those before it stay', async () => {
    migration('2_broken', 'CREATE TABLE half (id int); SELECT * FROM nowhere;');
    await expect(migrateDatabase(url, directory)).rejects.toThrow(MigrationFailedError);
    await expect(migrateDatabase(url, directory)).rejects.toThrow(
      '2_broken failed and was rolled back: relation "nowhere" does not exist',
    );
    expect(await ask(`SELECT to_regclass('half') AS half, to_regclass('note') IS NOT NULL AS note`)).toEqual([
      { half: null, note: true },
    ]);
    migration('2_broken', 'CREATE TABLE half (id int)');
    expect(await migrateDatabase(url, directory)).toEqual({ applied: ['2_broken'] });
  });

  test('a database that a newer version migrated is refused, unchanged', async () => {
    migration('2_newer', 'ALTER TABLE note ADD COLUMN newer int');
    await migrateDatabase(url, directory);
    rmSync(join(directory, '2_newer'), { recursive: true });
    migration('3_ours', 'DROP TABLE note');
    await expect(migrateDatabase(url, directory)).rejects.toThrow(DatabaseNewerError);
    await expect(migrateDatabase(url, directory)).rejects.toMatchObject({ unknownMigrations: ['2_newer'] });
    expect(await ask('SELECT count(*)::int AS n FROM note')).toEqual([{ n: 1 }]);
  });

  test('a migration that was edited after it was applied is refused', async () => {
    await migrateDatabase(url, directory);
    migration('1_note', `${FUNCTION_SQL}-- one more line`);
    await expect(migrateDatabase(url, directory)).rejects.toThrow(MigrationEditedError);
  });

  test('the product’s own migrations apply to an empty database', async () => {
    const { applied } = await migrateDatabase(url);
    expect(applied[0]).toMatch(/_init$/);
    expect(
      (await ask(`SELECT count(*)::int AS n FROM information_schema.tables WHERE table_schema = 'public'`))[0],
    ).toMatchObject({ n: expect.any(Number) as number });
    expect(await migrateDatabase(url)).toEqual({ applied: [] });
  });
});
