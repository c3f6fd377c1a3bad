import { OpenLeases } from '../gateway/serve/open-leases';
import { workerSocketPath } from '../gateway/worker-socket';
import { UnixEgressLease, type EgressLease, type LeaseParts } from './egress-lease';
import { DEFAULT_EGRESS_LIMITS, type EgressBinding, type EgressLimits } from './egress.types';
import { PUBLIC_NETWORK } from './public-network';

type EgressSettings = Pick<LeaseParts, 'sink' | 'log'> & {
  /** A short directory that only this worker's user can enter. */
  runDir: string;
  network?: LeaseParts['network'];
  limits?: Partial<EgressLimits>;
};

/**
 * The way out of sandboxes whose project lists hosts: an HTTP proxy that connects to listed names at public addresses,
 * and says what it did.
 */
export class EgressGateway {
  private readonly leases = new OpenLeases<EgressBinding, void>();

  constructor(private readonly settings: EgressSettings) {}

  /** Opens a socket for one process, for the given list. Nothing passes until a turn is bound. */
  async open({ processId, hosts }: { processId: string; hosts: readonly string[] }): Promise<EgressLease> {
    const { runDir, sink, log, network = PUBLIC_NETWORK, limits } = this.settings;
    const socketPath = workerSocketPath(runDir, 'e', processId);
    return this.leases.open(
      new UnixEgressLease(socketPath, { hosts, network, sink, log, limits: { ...DEFAULT_EGRESS_LIMITS, ...limits } }),
    );
  }

  /** Closes every socket and connection. */
  async close(): Promise<void> {
    await this.leases.closeAll();
  }
}
