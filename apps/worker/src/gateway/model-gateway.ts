import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { UnixSocketLease, type GatewayLease } from './gateway-lease';
import { DEFAULT_GATEWAY_LIMITS, type GatewayLimits, type GatewayLog, type TurnBinding, type UsageSink } from './gateway.types';
import type { Paymaster } from './paymaster';
import { UsageRecorder } from './usage-recorder';

export type { GatewayLease } from './gateway-lease';

/** sockaddr_un holds 108 bytes with the closing zero. */
const MAX_SOCKET_PATH_BYTES = 107;

export interface ModelGatewayOptions<Binding extends TurnBinding> {
  paymaster: Paymaster<Binding>;
  /** A short directory that only this worker's user can enter. */
  runDir: string;
  onUsage: UsageSink<Binding>;
  log: GatewayLog;
  limits?: Partial<GatewayLimits>;
  clock?: () => Date;
}

/** The only way out of a sandbox: swaps a process's token for the key of who pays, which never enters, and counts what is used. */
export class ModelGateway<Binding extends TurnBinding = TurnBinding> {
  private readonly limits: GatewayLimits;
  private readonly leases = new Set<GatewayLease<Binding>>();

  constructor(private readonly options: ModelGatewayOptions<Binding>) {
    this.limits = { ...DEFAULT_GATEWAY_LIMITS, ...options.limits };
  }

  /** Opens a socket for one process. Nothing passes until a turn is bound. */
  async open({ processId }: { processId: string }): Promise<GatewayLease<Binding>> {
    const { paymaster, runDir, onUsage, log, clock = () => new Date() } = this.options;
    const socketPath = join(runDir, `m-${processId.slice(-10)}-${randomBytes(3).toString('hex')}`);
    if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES) throw new Error(`the run directory ${runDir} is too long for a socket`);
    const lease = new UnixSocketLease(socketPath, paymaster, new UsageRecorder(onUsage, log, clock), this.limits, log);
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

  /** Closes every socket; what goes to the model's service stays with who opened it. */
  async close(): Promise<void> {
    await Promise.all([...this.leases].map((lease) => lease.close()));
  }
}
