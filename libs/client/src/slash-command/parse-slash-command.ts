import type { SlashCommand } from '../routes';

export type SlashParse =
  /** It is a message. */
  | { kind: 'text' }
  /** `line` is the built-in command’s own, also where it was called by an alias: `sessions:resume`. */
  | { kind: 'command'; line: string; args: Record<string, string> }
  /** It is a command, and cannot be done as it is written. */
  | { kind: 'fault'; line: string; detail: string };

type ArgsSchema = { properties?: Record<string, { enum?: string[] }>; required?: string[] };

/** `help`, `sessions:list`: what stands behind the slash. */
export function slashLine({ namespace, name }: Pick<SlashCommand, 'namespace' | 'name'>): string {
  return namespace === null ? name : `${namespace}:${name}`;
}

/**
 * What a text means to a client: a command where it begins with a slash and the name of one that is listed, else a
 * message. So a path, or a command that this server does not have, is sent as it is. A blank before the slash makes a
 * message of everything.
 */
export function parseSlashCommand(text: string, commands: readonly SlashCommand[]): SlashParse {
  const [, line, rest = ''] = /^\/([a-z][a-z0-9-]*(?::[a-z][a-z0-9-]*)?)(?:\s+([\s\S]*))?$/.exec(text.trimEnd()) ?? [];
  const command = line === undefined ? undefined : commands.find((each) => slashLine(each) === line);
  if (command === undefined) return { kind: 'text' };
  if (command.expandsTo !== undefined) {
    // An alias stands for a built-in command, never for another alias.
    const builtIn = commands.filter(({ expandsTo }) => expandsTo === undefined);
    return parseSlashCommand(`${command.expandsTo} ${rest}`, builtIn);
  }
  return readArgs(slashLine(command), command.argsSchema, rest.trim());
}

function readArgs(line: string, { properties = {}, required = [] }: ArgsSchema, rest: string): SlashParse {
  const names = Object.keys(properties);
  if (names.length === 0 && rest !== '') return { kind: 'fault', line, detail: `/${line} takes nothing behind it.` };
  const args: Record<string, string> = {};
  let left = rest;
  for (const [at, name] of names.entries()) {
    if (left === '') break;
    const [, word = '', more = ''] = (at < names.length - 1 && /^(\S+)\s*([\s\S]*)$/.exec(left)) || ['', left];
    args[name] = word;
    left = more;
    const choices = properties[name]?.enum;
    if (choices !== undefined && !choices.includes(word))
      return { kind: 'fault', line, detail: `${name} is one of ${choices.join(', ')}.` };
  }
  const missing = required.find((name) => args[name] === undefined);
  if (missing !== undefined) return { kind: 'fault', line, detail: `Write /${line} <${missing}>.` };
  return { kind: 'command', line, args };
}

/**
 * The commands that a beginning could become, in the list’s order, those whose name begins so first; none when the
 * text is no beginning of a command.
 */
export function completeSlashCommand<C extends SlashCommand>(text: string, commands: readonly C[]): C[] {
  const [, typed] = /^\/([a-z0-9:-]*)$/.exec(text) ?? [];
  if (typed === undefined) return [];
  const starting = commands.filter((command) => slashLine(command).startsWith(typed));
  const within = commands.filter((command) => !starting.includes(command) && slashLine(command).includes(typed));
  return [...starting, ...within];
}
