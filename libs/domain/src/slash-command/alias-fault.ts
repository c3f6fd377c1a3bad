import type { SlashAliases } from '@chirality/contracts';
import { BUILT_IN_COMMANDS, commandLine } from './built-in-commands';

/** Names that commands have or will have, so that no alias stands before one that comes later. */
const RESERVED = new Set([
  ...BUILT_IN_COMMANDS.flatMap(({ namespace, name }) => (namespace === null ? [name] : [namespace, name])),
  'agents',
  'mcp',
  'profile',
  'skills',
]);
const LINES: ReadonlySet<string> = new Set(BUILT_IN_COMMANDS.map(commandLine));

/** Why a team cannot have these aliases, with the place of the fault; null where it can. */
export function aliasFault(aliases: SlashAliases): { path: string; message: string } | null {
  const seen = new Set<string>();
  for (const [at, { name, expandsTo }] of aliases.entries()) {
    if (RESERVED.has(name))
      return { path: `aliases.${at}.name`, message: `/${name} is a built-in command. Choose another name.` };
    if (seen.has(name)) return { path: `aliases.${at}.name`, message: `/${name} is there twice. Remove one.` };
    seen.add(name);
    const [line = ''] = expandsTo.slice(1).split(/\s/, 1);
    if (!LINES.has(line))
      return { path: `aliases.${at}.expandsTo`, message: `/${line} is no built-in command. /help lists them.` };
    // What is written would not be what is sent.
    if (/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(expandsTo))
      return { path: `aliases.${at}.expandsTo`, message: 'Use one line without control characters.' };
  }
  return null;
}
