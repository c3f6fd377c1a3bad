import { randomBytes } from 'node:crypto';
import { closeSync, fdatasync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { z } from 'zod';

const flushed = promisify(fdatasync);

/** Writes a small JSON file so that a reader finds the old one or the new one, also after a crash of the machine. Mode 0600. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  const { file, aside } = writeAside(path, value);
  try {
    await flushed(file);
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** The file's content, or null when it is missing or is not what the schema says. */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    // A few hundred bytes of a local disk: the hops through the pool of threads would take many times as long.
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** A small file is in the kernel's memory at once; only flushing it takes time. */
function writeAside(path: string, value: unknown): { file: number; aside: string } {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  const file = openSync(aside, 'wx', 0o600);
  try {
    writeFileSync(file, `${JSON.stringify(value)}\n`);
  } catch (error) {
    closeSync(file);
    rmSync(aside, { force: true });
    throw error;
  }
  return { file, aside };
}
