import type { TranscriptState } from '@chirality/domain';

/** The text of a plan, or null when there is none to decide on. */
export function planOf(input: unknown): string | null {
  const plan = (input as { plan?: unknown } | null)?.plan;
  return typeof plan === 'string' && plan.trim() !== '' ? plan : null;
}

/** How many plans of the conversation were approved: with each, Claude leaves plan mode. */
export function approvedPlans(state: TranscriptState): number {
  return state.turns.reduce((sum, turn) => sum + turn.items.filter((item) => item.type === 'permission' && item.kind === 'plan' && item.answer?.outcome === 'allowed').length, 0);
}
