import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import type { z } from 'zod';

/** Writes a small JSON file so that a reader finds the old one or the new one, also after a crash. Mode 0600. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(value)}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** The file's content, or null when it is missing or is not what the schema says. */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}
