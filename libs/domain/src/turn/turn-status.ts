import { FINAL_TURN_STATUSES, LIVE_TURN_STATUSES, type FinalTurnStatus, type TurnStatus } from '@chirality/contracts';

/**
 * Why a turn's status changes. Each cause is allowed from the statuses that the table below lists, and leads to one.
 */
export const TURN_CAUSES = [
  'claim',
  'spawned',
  'permission_asked',
  'permission_settled',
  'result',
  'retry',
  'succeed',
  'fail',
  'interrupt',
  'time_out',
  'cancel',
  'lose_worker',
] as const;
export type TurnCause = (typeof TURN_CAUSES)[number];

/**
 * The whole state machine as data: cause → { from, to }. `retry` is the one automatic second attempt; whether it is
 * permitted is `mayRetry`, not this table.
 */
export const TURN_TRANSITIONS: Readonly<Record<TurnCause, { from: readonly TurnStatus[]; to: TurnStatus }>> = {
  claim: { from: ['queued'], to: 'starting' },
  spawned: { from: ['starting'], to: 'running' },
  permission_asked: { from: ['running'], to: 'awaiting_permission' },
  permission_settled: { from: ['awaiting_permission'], to: 'running' },
  result: { from: ['running', 'awaiting_permission'], to: 'finishing' },
  retry: { from: ['running', 'finishing'], to: 'starting' },
  succeed: { from: ['running', 'finishing'], to: 'completed' },
  fail: { from: ['queued', 'starting', 'running', 'awaiting_permission', 'finishing'], to: 'failed' },
  interrupt: { from: ['starting', 'running', 'awaiting_permission', 'finishing'], to: 'interrupted' },
  time_out: { from: ['starting', 'running', 'awaiting_permission', 'finishing'], to: 'timed_out' },
  cancel: { from: ['queued'], to: 'cancelled' },
  lose_worker: { from: ['starting', 'running', 'awaiting_permission', 'finishing'], to: 'lost' },
};

export function isFinal(status: TurnStatus): status is FinalTurnStatus {
  return (FINAL_TURN_STATUSES as readonly TurnStatus[]).includes(status);
}

/** The status that `cause` leads to, or null when the table does not allow it from `from`. */
export function nextStatus(from: TurnStatus, cause: TurnCause): TurnStatus | null {
  const rule = TURN_TRANSITIONS[cause];
  return rule.from.includes(from) ? rule.to : null;
}

/**
 * Throws when the table contradicts itself: a final status with a way out, a live one with no way to an end,
 * or a status that nothing reaches. Every process calls it once at start.
 */
export function assertTransitionTable(table: typeof TURN_TRANSITIONS = TURN_TRANSITIONS): void {
  const edges = Object.values(table).flatMap(({ from, to }) => from.map((source) => [source, to] as const));
  for (const [source] of edges) {
    if (isFinal(source)) throw new Error(`transition table: ${source} is final and has a way out`);
  }
  for (const status of LIVE_TURN_STATUSES) {
    if (!edges.some(([source, target]) => source === status && isFinal(target))) {
      throw new Error(`transition table: ${status} cannot end`);
    }
  }
  const reached = new Set<TurnStatus>(['queued', ...edges.map(([, target]) => target)]);
  for (const status of [...LIVE_TURN_STATUSES, ...FINAL_TURN_STATUSES]) {
    if (!reached.has(status)) throw new Error(`transition table: nothing reaches ${status}`);
  }
}

/**
 * Whether the one automatic retry is permitted: the process died under a living worker in the first attempt, no
 * mutating tool had started, and no end was requested. Semantic failures never come here.
 */
export function mayRetry(facts: {
  attempt: number;
  processDied: boolean;
  mutatingToolStarted: boolean;
  interruptRequested: boolean;
}): boolean {
  return facts.processDied && facts.attempt === 1 && !facts.mutatingToolStarted && !facts.interruptRequested;
}
