import { WORKSPACE_REFUSALS } from '../worker/workspace-refusals';

/** What a route may refuse with that accepts a turn. */
export const ACCEPTING = [
  'SESSION_NOT_FOUND',
  'FORBIDDEN',
  'AGENT_MAY_NOT_APPROVE',
  'TURN_IN_PROGRESS',
  'BOOT_IN_PROGRESS',
  'PROJECT_NOT_READY',
  'HARNESS_FAILURE',
  'SANDBOX_UNAVAILABLE',
  'BUDGET_EXCEEDED',
  'IDEMPOTENCY_MISMATCH',
  'CONFLICT',
  ...WORKSPACE_REFUSALS,
] as const;

export const IDEMPOTENCY = {
  'Idempotency-Key': 'The same key within 24 hours means the same turn; with another body it is rejected.',
};
