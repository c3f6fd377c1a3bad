import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { untilAnswered } from './until-answered';

type Callback = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void;

/**
 * A pool whose callers wait for a server that is away, instead of failing at once. Nothing was sent when a connection
 * cannot be had, so waiting for one is right whatever is to be done with it.
 */
export class PatientPool extends Pool {
  constructor(
    config: PoolConfig,
    private readonly patienceMs: number,
  ) {
    super(config);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | void {
    const connecting = untilAnswered(() => super.connect(), this.patienceMs);
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, (release) => client.release(release as Error | boolean | undefined)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }
}
