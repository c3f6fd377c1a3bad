import { patternWords } from './bash-rule';
import { normalizeRule, type PermissionRule } from './rule';
import { isRunner, runsOtherPrograms } from './runs-programs';
import { parseCommand, type SimpleCommand } from './shell/parse-command';
import { isFileEdit } from './tool-classes';

const EVERY_COMMAND = 'Allows every command. Delete this rule and allow the commands that are needed.';

/**
 * What a rule really allows, in a sentence for people, where that is more than it seems to say: every command, or
 * whatever an interpreter, a wrapper or a file is made to run. Null for a rule that means what it shows, and for one
 * that does not allow.
 */
export function tooWide(rule: PermissionRule): string | null {
  if ((rule.effect ?? 'allow') !== 'allow') return null;
  const { tool, pattern } = normalizeRule(rule);
  if (isFileEdit(tool) && pattern === null)
    return 'Allows a change to every file, also to those that make other programs run something, such as Git hooks.';
  if (tool !== 'Bash') return null;
  if (pattern === null) return EVERY_COMMAND;
  return pattern.includes('*') ? widthOfWords(patternWords(pattern)) : widthOfText(pattern);
}

function widthOfWords(words: readonly string[]): string | null {
  const fixed = words.slice(
    0,
    words.findIndex((word) => word.includes('*')),
  );
  const [program] = fixed;
  if (program === undefined) return EVERY_COMMAND;
  if (isRunner(program))
    return `Allows every program: what “${program}” runs is in its arguments, its files or its input.`;
  return runsOtherPrograms(commandOf(fixed))
    ? `Allows more than one program: “${fixed.join(' ')}” runs what its arguments or its file say.`
    : null;
}

function widthOfText(text: string): string | null {
  const parsed = parseCommand(text);
  if (!parsed.ok) return 'Cannot be read in full, so what it runs may change with variables and files.';
  const runs = parsed.commands.find((command) => runsOtherPrograms(command));
  return runs
    ? `Allows whatever “${runs.words[0]?.text ?? runs.text}” finds to run: a file or an input that it reads may have changed since.`
    : null;
}

function commandOf(words: readonly string[]): SimpleCommand {
  return {
    text: words.join(' '),
    assignments: [],
    words: words.map((text) => ({ text, expands: false, quoted: false })),
    redirects: [],
  };
}
