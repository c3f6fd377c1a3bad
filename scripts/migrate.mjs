// Brings the database of DATABASE_URL up to date. Prints one line; ends with 1 and one sentence where it must not.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { migrateDatabase } = createRequire(import.meta.url)(fileURLToPath(new URL('../libs/database/dist/index.js', import.meta.url)));
const url = process.env.DATABASE_URL;
if (!url) {
  process.stderr.write('DATABASE_URL is empty.\n');
  process.exit(1);
}
try {
  const { applied } = await migrateDatabase(url);
  process.stdout.write(`${applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`}\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
