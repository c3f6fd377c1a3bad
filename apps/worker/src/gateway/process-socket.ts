import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

/** sockaddr_un holds 108 bytes with the closing zero. */
const MAX_SOCKET_PATH_BYTES = 107;

/** Where a process's own socket is to be; `kind` is one letter a gateway. Throws when the run directory is too long for one. */
export function processSocketPath(runDir: string, kind: 'm' | 'e', processId: string): string {
  const path = join(runDir, `${kind}-${processId.slice(-10)}-${randomBytes(3).toString('hex')}`);
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) throw new Error(`the run directory ${runDir} is too long for a socket`);
  return path;
}
