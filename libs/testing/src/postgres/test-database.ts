import { createDatabase, migrateDatabase, type Database } from '@chirality/database';
import { startTestPostgres, type TestPostgres } from './test-postgres';

export interface TestDatabase extends Database {
  postgres: TestPostgres;
  url: string;
}

/** A migrated database on its own Postgres. `close` ends both. */
export async function startTestDatabase(options: { poolSize?: number; durable?: boolean } = {}): Promise<TestDatabase> {
  const postgres = await startTestPostgres({ durable: options.durable });
  await migrateDatabase(postgres.url);
  const database = createDatabase({ url: postgres.url, poolSize: options.poolSize });
  return {
    ...database,
    postgres,
    url: postgres.url,
    close: async () => {
      await database.close();
      await postgres.stop();
    },
  };
}
