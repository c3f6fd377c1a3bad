import { allowsCommand } from './bash-rule';
import { isQuietCommand } from './quiet-commands';
import { parseCommand, type SimpleCommand } from './shell/parse-command';

type CommandVerdict =
  | { allowed: true; by: 'rule'; patterns: readonly string[] }
  | { allowed: true; by: 'quiet' }
  | { allowed: false; why: string; open: readonly SimpleCommand[] };

/**
 * Whether every part of a shell command is allowed, by one of the patterns or, with `quiet`, because it only reads.
 * A command that cannot be read is only allowed by a pattern that is exactly its text.
 */
export function judgeCommand(command: string, patterns: readonly string[], quiet: boolean): CommandVerdict {
  if (patterns.includes(command.trim())) return { allowed: true, by: 'rule', patterns: [command.trim()] };
  const parsed = parseCommand(command);
  if (!parsed.ok) return { allowed: false, why: `only a person can judge this command: ${parsed.why}`, open: [] };
  const used = new Set<string>();
  const open = parsed.commands.filter((one) => {
    if (quiet && isQuietCommand(one)) return false;
    const pattern = patterns.find((wanted) => allowsCommand(wanted, one));
    if (pattern !== undefined) used.add(pattern);
    return pattern === undefined;
  });
  if (open.length === 0)
    return used.size === 0 ? { allowed: true, by: 'quiet' } : { allowed: true, by: 'rule', patterns: [...used] };
  const names = [...new Set(open.map((one) => one.words[0]?.text ?? one.text))];
  return { allowed: false, why: `no rule allows ${names.map((name) => `“${name.slice(0, 40)}”`).join(', ')}`, open };
}
