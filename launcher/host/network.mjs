import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Sentence } from '../text/sentence.mjs';

/**
 * Throws a Sentence when the address cannot be listened on.
 * @param {string} host
 * @param {number} port
 * @param {{ uid: number | null }} identity
 */
export async function requireFreeAddress(host, port, identity) {
  if (port > 0 && port < firstOrdinaryPort() && identity.uid !== 0) {
    throw new Sentence(
      `Port ${port} is reserved for root, and Chirality runs as user id ${identity.uid}: choose a port from ${firstOrdinaryPort()} in PORT and put a proxy in front.`,
    );
  }
  const error = await tryToListen(host, port);
  if (error === null) return;
  if (error.code === 'EADDRINUSE')
    throw new Sentence(
      `Port ${port} at ${host} is taken by another program: end that, or choose another port: PORT=${port + 1} npm start`,
    );
  throw new Sentence(
    `Chirality cannot listen at ${host} port ${port} (${error.code}): set HOST to an address of this machine.`,
  );
}

/**
 * @param {string} host
 * @param {number} port
 * @returns {Promise<NodeJS.ErrnoException | null>}
 */
function tryToListen(host, port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

function firstOrdinaryPort() {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  } catch {
    return 1024;
  }
}
