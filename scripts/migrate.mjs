// Brings the database of DATABASE_URL up to date. Prints one line; ends with 1 and one sentence where it must not.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { codeOf, messageOf } from '../launcher/text/errors.mjs';

const require = createRequire(import.meta.url);
const built = (/** @type {string} */ lib) =>
  require(fileURLToPath(new URL(`../libs/${lib}/dist/index.js`, import.meta.url)));
/** @type {typeof import('@chirality/database')} */
const { migrateDatabase } = built('database');
/** @type {typeof import('@chirality/platform')} */
const { checkDatabaseUrl } = built('platform');
try {
  const url = checkDatabaseUrl(process.env.DATABASE_URL ?? '');
  const { applied } = await migrateDatabase(url);
  process.stdout.write(`${applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`}\n`);
} catch (error) {
  const isAway = /^E(CONN|HOST|NET|TIMEDOUT|AI_AGAIN|NOTFOUND|NOENT)|^ENOTFOUND|^57P0/.test(codeOf(error) ?? '');
  const advice = 'start it, or leave DATABASE_URL empty for the embedded one';
  process.stderr.write(
    isAway
      ? `The database of DATABASE_URL cannot be reached (${messageOf(error)}): ${advice}.\n`
      : `${messageOf(error)}\n`,
  );
  process.exit(1);
}
