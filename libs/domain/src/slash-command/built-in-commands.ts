import type { Command, SlashCommand } from '@chirality/contracts';

/** What a caller needs to use a command, so that no client offers what would be refused. */
export type CommandNeeds = {
  /** What a token must cover. */
  command?: Command;
  /** A session that the caller may write in. */
  session?: 'write' | 'manage';
  /** Not for tokens. */
  signedIn?: true;
};
type BuiltInCommand = SlashCommand & { needs: CommandNeeds };

type Args = Record<string, { description: string; enum?: string[] }>;

function argsOf(properties: Args, required: string[] = []): SlashCommand['argsSchema'] {
  const typed = Object.entries(properties).map(([name, rest]) => [name, { type: 'string', ...rest }]);
  return { type: 'object', properties: Object.fromEntries(typed), required, additionalProperties: false };
}

function builtIn(line: string, description: string, needs: CommandNeeds = {}, args = argsOf({})): BuiltInCommand {
  const [first = '', second] = line.split(':');
  const names = second === undefined ? { namespace: null, name: first } : { namespace: first, name: second };
  return { ...names, description, argsSchema: args, needs };
}

const SESSION = argsOf({ session: { description: 'The id of a session, or words of its title' } });

/**
 * Every built-in slash command, in the order in which menus show them. What is here works; a capability that arrives
 * adds its commands here and nowhere else.
 */
export const BUILT_IN_COMMANDS: readonly BuiltInCommand[] = [
  builtIn('help', 'Show the commands'),
  builtIn('clear', 'Begin the next message without the conversation so far; files stay', {
    command: 'turn:send',
    session: 'write',
  }),
  builtIn('compact', 'Summarise the conversation so far, to make room', { command: 'turn:send', session: 'write' }),
  builtIn('cost', 'Show what this session has cost'),
  builtIn(
    'model',
    'Show or choose the model of this session',
    { command: 'session:set_model', session: 'manage' },
    argsOf({ model: { description: 'A model such as sonnet; none shows the current one' } }),
  ),
  builtIn('resume', 'Continue another session', { command: 'events:read' }, SESSION),
  builtIn('permissions', 'Show what this session asks for and what is allowed'),
  builtIn(
    'permissions:promote',
    'Allow a rule of this session in the whole project',
    { signedIn: true, session: 'write' },
    argsOf({ rule: { description: 'The rule as /permissions shows it' } }, ['rule']),
  ),
  builtIn('sessions:list', 'List sessions', { command: 'events:read' }),
  builtIn('sessions:resume', 'Continue another session', { command: 'events:read' }, SESSION),
  builtIn('health', 'Show whether the service and its workers are well'),
  builtIn('quit', 'Leave the session; what runs continues'),
];

/** `help`, `sessions:list`: what stands behind the slash. */
export function commandLine({ namespace, name }: Pick<SlashCommand, 'namespace' | 'name'>): string {
  return namespace === null ? name : `${namespace}:${name}`;
}
