import { chownSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { serverIdentity } from './guarded-process';

/** A new directory, owned by the servers' identity, whose path leaves room for a socket's name (108 bytes in all). */
export function makeServerDirectory(purpose: string): string {
  const directory = mkdtempSync(join('/tmp', `chirality-${purpose}-`));
  const identity = serverIdentity();
  if (identity) chownSync(directory, identity.uid, identity.gid);
  return directory;
}
