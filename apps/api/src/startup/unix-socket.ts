import { createServer, type Server } from 'node:http';
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { ConfigError } from '@chirality/platform';

/** Serves the same on a Unix socket, for this user alone: who reaches it still shows a token. */
export async function listenOnUnixSocket(path: string, http: Server): Promise<Server> {
  const server = createServer();
  server.requestTimeout = http.requestTimeout;
  server.on('request', (request, response) => void http.emit('request', request, response));
  server.on('upgrade', (request, socket, head) => void http.emit('upgrade', request, socket, head));
  // No one else may connect between the file's making and the change of its mode.
  const umask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    chmodSync(path, 0o600);
  } catch (error) {
    throw refusal(path, `cannot be made (${codeOf(error)}). Name a path in a directory of this user`);
  } finally {
    process.umask(umask);
  }
  return server;
}

/** Before anything is started: removes what a killed process left. Throws ConfigError where the path is not free. */
export async function makeRoomForSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw refusal(path, 'is there already and is no socket. Remove it, or name another path');
  if (await answers(path))
    throw refusal(path, 'is the socket of another process that listens. End it, or name another path');
  unlinkSync(path);
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const conclude = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => conclude(true));
    // What may not be asked is taken for one that listens: it is not ours to remove.
    socket.once('error', (error) => conclude(codeOf(error) !== 'ECONNREFUSED'));
  });
}

function refusal(path: string, what: string): ConfigError {
  return new ConfigError(`CHIRALITY_SOCKET: ${path} ${what}`);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
