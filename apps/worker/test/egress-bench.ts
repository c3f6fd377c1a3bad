import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EgressGateway, networkWithHosts, type EgressBinding, type EgressLogRow } from '../src/egress';

const TURN: Omit<EgressBinding, 'onRefused'> = {
  projectId: 'proj_1',
  sessionId: 'sess_1',
  turnId: 'turn_1',
  userId: 'user_1',
};

export type EgressBench = {
  gateway: EgressGateway;
  port: number;
  /** What the test host was asked for. */
  requests: string[];
  rows: EgressLogRow[];
  refusals: string[];
  binding(): EgressBinding;
  close(): Promise<void>;
};

/** A proxy for which `host.test` and what is below is a web server of this process, and every other name leads nowhere. */
export async function startEgressBench(runDir: string): Promise<EgressBench> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.host}${request.url}`);
    if (request.url === '/early') return void response.end('hello before the end');
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () =>
      response.end(`hello from ${request.url}${bytes === 0 ? '' : `, which read ${bytes} bytes`}`),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rows: EgressLogRow[] = [];
  const refusals: string[] = [];
  const gateway = new EgressGateway({
    runDir,
    network: networkWithHosts({ 'host.test': '127.0.0.1', 'other.host.test': '127.0.0.1', 'dead.test': '127.0.0.1' }),
    sink: { add: async (added) => void rows.push(...added) },
    log: { info: () => undefined, warn: () => undefined },
  });
  return {
    gateway,
    port: (server.address() as AddressInfo).port,
    requests,
    rows,
    refusals,
    binding: () => ({
      ...TURN,
      onRefused: ({ host, port, decision }) => void refusals.push(`${host}:${port} ${decision}`),
    }),
    close: async () => {
      await gateway.close();
      await closed(server);
    },
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
