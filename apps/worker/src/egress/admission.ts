import type { Socket } from 'node:net';
import { sameToken } from '../gateway/gateway-token';

const MAX_GREETING_BYTES = 256;
const GREETING_MS = 5_000;
const LINE_FEED = 10;

/**
 * The bridge in the sandbox sends its process's token on a separate line before it passes on what programs send, so
 * that no program has to know it. Calls `admitted` with the socket paused before the first byte after that line.
 */
export function admitByToken(socket: Socket, token: string, admitted: () => void): void {
  let seen = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), GREETING_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  const read = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk]);
    const end = seen.indexOf(LINE_FEED);
    if (end === -1 && seen.length <= MAX_GREETING_BYTES) return;
    socket.off('data', read);
    clearTimeout(timer);
    if (end === -1 || !sameToken(seen.toString('latin1', 0, end), token)) return void socket.destroy();
    socket.pause();
    const rest = seen.subarray(end + 1);
    if (rest.length > 0) socket.unshift(rest);
    admitted();
    socket.resume();
  };
  socket.on('data', read);
}
