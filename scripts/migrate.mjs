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
  const isAway = /^E(CONN|HOST|NET|TIMEDOUT|AI_AGAIN|NOTFOUND|NOENT)|^ENOTFOUND|^57P0/.test(error.code ?? '');
  const advice = 'start it, or leave DATABASE_URL empty for the embedded one';
  process.stderr.write(isAway ? `The database of DATABASE_URL cannot be reached (${error.message}): ${advice}.\n` : `${error.message}\n`);
  process.exit(1);
}
