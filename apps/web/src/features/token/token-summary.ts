import type { Command, IdentityClass, TokenClaims } from '@chirality/contracts';

/** What most programs need, by name. `null`: everything. */
export const TOKEN_ACCESS = {
  read: ['session:attach', 'session:detach', 'events:read'],
  run: ['session:create', 'session:attach', 'session:detach', 'turn:send', 'turn:interrupt', 'events:read'],
  everything: null,
} as const satisfies Record<string, readonly Command[] | null>;
export type TokenAccess = keyof typeof TOKEN_ACCESS;

const ACTS: Partial<Record<Command, string>> = {
  'events:read': 'read sessions and their files',
  'session:create': 'start sessions',
  'turn:send': 'send messages to Claude, and so run commands in its sandbox',
  'turn:interrupt': 'interrupt turns',
  'session:end': 'archive sessions',
  'session:set_model': 'change the model',
  'plan:enter': 'turn plan mode on',
  'plan:exit': 'turn plan mode off',
  'permission:answer': 'answer permission requests',
  'usage:read': 'see usage and cost',
};

type Summarized = {
  identityClass: IdentityClass;
  mayMint: boolean;
  claims: Pick<TokenClaims, 'projects' | 'sessions' | 'commands'>;
};

/** What a token can do, in words for the person who is responsible for it. */
export function tokenSummary({ identityClass, mayMint, claims }: Summarized, nameOf: (id: string) => string): string[] {
  const acts = Object.entries(ACTS).flatMap(([command, act]) => {
    if (command === 'permission:answer' && identityClass === 'agent') return [];
    return claims.commands === undefined || claims.commands.includes(command as Command) ? [act] : [];
  });
  const reach =
    claims.sessions !== undefined
      ? claims.sessions.length === 1
        ? 'one session'
        : `${claims.sessions.length} sessions`
      : claims.projects === undefined
        ? 'all projects that you can see in the team'
        : claims.projects.map(nameOf).join(', ');
  return [
    acts.length === 0 ? `Can do nothing in ${reach}.` : `Can ${listOf(acts)} – in ${reach}.`,
    identityClass === 'agent'
      ? 'Acts as an agent: it can never answer permission requests. Unanswered ones are denied after a minute.'
      : 'Acts as you.',
    ...(mayMint ? ['Can create further tokens that can do no more than itself.'] : []),
    'Can never push, change settings, or see members and keys.',
  ];
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
