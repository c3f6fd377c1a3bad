import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { UnixEgressLease, type EgressLease, type LeaseParts } from './egress-lease';
import { DEFAULT_EGRESS_LIMITS, type EgressLimits } from './egress.types';
import { PUBLIC_NETWORK } from './public-network';

/** sockaddr_un holds 108 bytes with the closing zero. */
const MAX_SOCKET_PATH_BYTES = 107;

export type EgressSettings = Pick<LeaseParts, 'sink' | 'log'> & {
  /** A short directory that only this worker's user can enter. */
  runDir: string;
  network?: LeaseParts['network'];
  limits?: Partial<EgressLimits>;
};

/** The way out of sandboxes whose project lists hosts: an HTTP proxy that connects to listed names at public addresses, and says what it did. */
export class EgressGateway {
  private readonly leases = new Set<UnixEgressLease>();

  constructor(private readonly settings: EgressSettings) {}

  /** Opens a socket for one process, for the given list. Nothing passes until a turn is bound. */
  async open({ processId, hosts }: { processId: string; hosts: readonly string[] }): Promise<EgressLease> {
    const { runDir, sink, log, network = PUBLIC_NETWORK, limits } = this.settings;
    const socketPath = join(runDir, `e-${processId.slice(-10)}-${randomBytes(3).toString('hex')}`);
    if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES) throw new Error(`the run directory ${runDir} is too long for a socket`);
    const lease = new UnixEgressLease(socketPath, { hosts, network, sink, log, limits: { ...DEFAULT_EGRESS_LIMITS, ...limits } });
    await lease.listen();
    this.leases.add(lease);
    return {
      socketPath,
      token: lease.token,
      bind: (binding) => lease.bind(binding),
      unbind: () => lease.unbind(),
      close: async () => {
        this.leases.delete(lease);
        await lease.close();
      },
    };
  }

  /** Closes every socket and connection. */
  async close(): Promise<void> {
    await Promise.all([...this.leases].map((lease) => lease.close()));
  }
}
