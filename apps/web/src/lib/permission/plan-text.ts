import type { TranscriptState, TurnView } from '@chirality/domain';

/** The text of a plan, or null when there is none to decide on. */
export function planOf(input: unknown): string | null {
  const plan = (input as { plan?: unknown } | null)?.plan;
  return typeof plan === 'string' && plan.trim() !== '' ? plan : null;
}

/** By turn: a turn that did not change keeps its identity, and a conversation is counted with every frame. */
const counted = new WeakMap<TurnView, number>();

function approvedIn(turn: TurnView): number {
  let count = counted.get(turn);
  if (count === undefined)
    counted.set(
      turn,
      (count = turn.items.filter(
        (item) => item.type === 'permission' && item.kind === 'plan' && item.answer?.outcome === 'allowed',
      ).length),
    );
  return count;
}

/** How many plans were approved from this turn on, or in all turns: with each, Claude leaves plan mode. */
export function approvedPlans(
  { turns, turnIndex }: Pick<TranscriptState, 'turns' | 'turnIndex'>,
  fromTurnId: string | null,
): number {
  const from = fromTurnId === null ? 0 : (turnIndex[fromTurnId] ?? 0);
  return turns.slice(from).reduce((sum, turn) => sum + approvedIn(turn), 0);
}
