import { UnixSocketLease, type GatewayLease } from './gateway-lease';
import {
  DEFAULT_GATEWAY_LIMITS,
  type GatewayLimits,
  type GatewayLog,
  type TurnBinding,
  type UsageRow,
  type UsageSink,
} from '../gateway.types';
import { OpenLeases } from './open-leases';
import type { RequestAuthorizer } from './request-authorizer';
import { workerSocketPath } from '../worker-socket';
import { UsageRecorder } from '../usage/usage-recorder';

export type { GatewayLease } from './gateway-lease';

interface ModelGatewayOptions<Binding extends TurnBinding> {
  authorizer: RequestAuthorizer<Binding>;
  /** A short directory that only this worker's user can enter. */
  runDir: string;
  onUsage: UsageSink<Binding>;
  log: GatewayLog;
  limits?: Partial<GatewayLimits>;
  clock?: () => Date;
}

/**
 * The only way out of a sandbox: swaps a process's token for the key of who pays, which never enters, and counts what
 * is used.
 */
export class ModelGateway<Binding extends TurnBinding = TurnBinding> {
  private readonly limits: GatewayLimits;
  private readonly leases = new OpenLeases<Binding, UsageRow<Binding>[]>();

  constructor(private readonly options: ModelGatewayOptions<Binding>) {
    this.limits = { ...DEFAULT_GATEWAY_LIMITS, ...options.limits };
  }

  /** Opens a socket for one process. Nothing passes until a turn is bound. */
  async open({ processId }: { processId: string }): Promise<GatewayLease<Binding>> {
    const { authorizer, runDir, onUsage, log, clock = () => new Date() } = this.options;
    const socketPath = workerSocketPath(runDir, 'm', processId);
    return this.leases.open(
      new UnixSocketLease(socketPath, authorizer, new UsageRecorder(onUsage, log, clock), this.limits, log),
    );
  }

  /** Closes every socket; what goes to the model's service stays with who opened it. */
  async close(): Promise<void> {
    await this.leases.closeAll();
  }
}
