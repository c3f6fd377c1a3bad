import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port of the loopback that no one has: for a program that does not choose its own. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
