import { lstat, readdir, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

/**
 * Removes the unix sockets in `directory` whose names match and which no process listens on: a process that was killed
 * leaves its sockets behind, and nothing can listen on such a path until it is removed. Sockets that answer are kept, so
 * several processes may share a directory. Resolves with the number removed; a missing directory has none.
 */
export async function removeStaleSockets(directory: string, names: RegExp): Promise<number> {
  const candidates = (await readdir(directory).catch(() => []))
    .filter((name) => names.test(name))
    .map((name) => join(directory, name));
  const removed = await Promise.all(candidates.map(removeIfStale));
  return removed.filter(Boolean).length;
}

async function removeIfStale(path: string): Promise<boolean> {
  try {
    if (!(await lstat(path)).isSocket() || !(await refusesConnections(path))) return false;
    await unlink(path);
    return true;
  } catch {
    // Removed meanwhile, by its owner or by another process that looked.
    return false;
  }
}

/** Only a refused connection proves that no process listens: one that is stopped or busy lets the connection wait. */
function refusesConnections(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (refuses: boolean) => {
      socket.destroy();
      resolve(refuses);
    };
    socket.once('connect', () => end(false));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code === 'ECONNREFUSED'));
  });
}
