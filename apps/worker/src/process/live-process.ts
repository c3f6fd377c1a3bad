import type { Originator } from '@chirality/contracts';
import type { GatewayLease } from '../gateway/serve/model-gateway';
import type { HarnessProcess, Tuning } from '../harness/harness';
import type { Launch } from './process-starter';
import type { TurnUsageBinding } from '../key/turn-costs';

/** A `claude` with its way to the model: serves one turn, or waits for its session's next one. */
export type LiveProcess = {
  id: string;
  sessionId: string;
  /** The person for whom it was started. */
  userId: string;
  process: HarnessProcess;
  lease: GatewayLease<TurnUsageBinding>;
  /** Everything that shaped the process for good; another key means another process. */
  spawnKey: string;
  /** Its present setting, from its start or since. */
  tuning: Tuning;
  launch: Launch;
  turnsServed: number;
  /**
   * The fence that the session's next claim has unless another process ran a turn: that turn is missing here for good.
   */
  nextFence: bigint | null;
  /** The program's own id of the conversation that it is in; null before its first one. */
  conversation: string | null;
  lastTurnId: string | null;
  /** Who began that turn. */
  lastOriginator: Originator;
  lastAttempt: number;
};

export type ProcessOrigin = 'cold' | 'ahead' | 'parked';

/** How a process that waits came to wait. */
export function waitingOrigin(live: Pick<LiveProcess, 'turnsServed'>): 'ahead' | 'parked' {
  return live.turnsServed === 0 ? 'ahead' : 'parked';
}
