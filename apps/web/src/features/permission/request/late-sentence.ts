import type { PermissionItem } from '@chirality/domain';

export type Decided = {
  outcome: 'allowed' | 'denied' | 'expired' | 'run_ended';
  by: { userId: string; name: string } | null;
  reason: string | null;
};

const VERBS: Record<PermissionItem['kind'], { allowed: string; denied: string }> = {
  tool: { allowed: 'allowed', denied: 'denied' },
  plan: { allowed: 'approved', denied: 'denied' },
  question: { allowed: 'answered', denied: 'skipped' },
};

/** What a person reads whose answer came after another: who decided what. Their own answer has changed nothing. */
export function lateSentence(kind: PermissionItem['kind'], { outcome, by, reason }: Decided, myId: string): string {
  if (outcome === 'expired') return 'The time for this request had run out before your answer. Nothing was changed.';
  if (outcome === 'run_ended') return 'The turn had ended before your answer. Nothing was changed.';
  const verb = VERBS[kind][outcome];
  const why = reason === null || reason === '' ? '' : ` Reason: ${reason}`;
  if (by === null) return `This was ${verb} by a rule a moment before you.${why}`;
  return by.userId === myId
    ? `You had already ${verb} this in another window.${why}`
    : `${by.name} ${verb} this a moment before you.${why}`;
}
