import type { PermissionAnswer } from '@chirality/domain';

function because(reason: string | null): string {
  return reason === null || reason === '' ? '' : `: ${reason}`;
}

/** The rule or switch that decided in place of a person, and who made it. */
function byPolicy(policy: PermissionAnswer['policy']): string {
  if (policy === null) return '';
  const what = policy.autoApprove
    ? 'auto-approve'
    : policy.rule === null
      ? 'the project’s settings'
      : `the rule ${policy.rule}`;
  return ` by ${what}${policy.by === null ? '' : ` of ${policy.by.name}`}`;
}

/** Who answered, and how: `Owner allowed this`, `Owner denied this: Use UTC`. */
export function answerSentence(
  { outcome, scope, by, reason, policy }: PermissionAnswer,
  rule: string | null = null,
): string {
  switch (outcome) {
    case 'allowed': {
      if (by === null) return `Allowed${byPolicy(policy)}${because(reason)}`;
      if (scope === 'pattern') return `${by.name} allowed ${rule ?? 'this pattern'} for this session`;
      return scope === 'tool'
        ? `${by.name} allowed every use of this tool for this session`
        : `Allowed once by ${by.name}`;
    }
    case 'denied':
      return by === null ? `Denied${byPolicy(policy)}${because(reason)}` : `Denied by ${by.name}${because(reason)}`;
    case 'expired':
      return `Denied: no one answered in time${because(reason)}`;
    case 'run_ended':
      return 'The turn ended before anyone answered';
  }
}

/** The same in a few words, for a folded row; null where no person or rule decided. */
export function shortAnswer({ outcome, by, reason, policy }: PermissionAnswer): string | null {
  switch (outcome) {
    case 'allowed':
      return by !== null ? `allowed by ${by.name}` : policy === null ? null : `allowed${byPolicy(policy)}`;
    case 'denied':
      return `denied${by === null ? byPolicy(policy) : ` by ${by.name}`}${because(reason)}`;
    case 'expired':
      return 'denied: no one answered';
    case 'run_ended':
      return 'not answered';
  }
}
