import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { removeStaleSockets } from '@chirality/platform';

/** sockaddr_un holds 108 bytes with the closing zero. */
const MAX_SOCKET_PATH_BYTES = 107;

/** Of the model gateway, the egress proxy, and the demo model. */
type SocketKind = 'm' | 'e' | 'd';

/**
 * A path for one socket of this worker that no other has or had, so that nothing that a killed worker left is in its way.
 * Throws when the run directory is too long for a socket.
 */
export function workerSocketPath(runDir: string, kind: SocketKind, ownerId: string): string {
  const path = join(runDir, `${kind}-${ownerId.slice(-10)}-${randomBytes(3).toString('hex')}`);
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES)
    throw new Error(`the run directory ${runDir} is too long for a socket`);
  return path;
}

/** Removes the sockets of workers that were killed; those of other workers that share the directory are kept. */
export function removeStaleWorkerSockets(runDir: string): Promise<number> {
  return removeStaleSockets(runDir, /^[med]-[^/]*-[0-9a-f]{6}$/);
}
