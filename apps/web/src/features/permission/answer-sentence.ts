import type { PermissionAnswer } from '@chirality/domain';

const SCOPES = { once: 'once', pattern: 'with this pattern, for the session', tool: 'for the session' } as const;

/** Who answered, and how: `Allowed once by Ada`, `Denied by Bo: not now`. */
export function answerSentence({ outcome, scope, by, reason }: PermissionAnswer): string {
  const who = by === null ? '' : ` by ${by.name}`;
  const why = reason === null || reason === '' ? '' : `: ${reason}`;
  switch (outcome) {
    case 'allowed':
      return by === null ? `Allowed${why}` : `Allowed ${scope === null ? '' : `${SCOPES[scope]} `}by ${by.name}`;
    case 'denied':
      return `Denied${who}${why}`;
    case 'expired':
      return `Nobody answered in time${why}`;
    case 'run_ended':
      return 'The turn ended before anybody answered';
  }
}
