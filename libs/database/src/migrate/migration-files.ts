import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface MigrationFile {
  name: string;
  sql: string;
  /** SHA-256 of the file's bytes in hex, as Prisma records it. */
  checksum: string;
}

/** The product's own migrations; the path holds from `src` and from `dist`. */
export const MIGRATIONS_DIRECTORY = join(__dirname, '..', '..', '..', '..', 'prisma', 'migrations');

/** Every `<name>/migration.sql` of the directory, in order of name. */
export async function readMigrationFiles(directory: string): Promise<MigrationFile[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const bytes = await readFile(join(directory, name, 'migration.sql'));
      return { name, sql: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
}
