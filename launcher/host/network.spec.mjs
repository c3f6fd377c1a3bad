import { once } from 'node:events';
import { createServer } from 'node:net';
import { requireFreeAddress } from './network.mjs';

describe('requireFreeAddress', () => {
  it('refuses a port that another program listens on, and names a way out', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(requireFreeAddress('127.0.0.1', port, { uid: 1000 })).rejects.toThrow(
      `Port ${port} at 127.0.0.1 is taken by another program: end that, or choose another port: PORT=${port + 1} npm start`,
    );
    server.close();
    await once(server, 'close');
    await expect(requireFreeAddress('127.0.0.1', port, { uid: 1000 })).resolves.toBeUndefined();
  });

  it('refuses an address of another machine', async () => {
    await expect(requireFreeAddress('192.0.2.1', 3000, { uid: 1000 })).rejects.toThrow(
      /cannot listen at 192\.0\.2\.1 port 3000 \(EADDRNOTAVAIL\): set HOST/,
    );
  });
});
