import { maskText } from '../masking/mask-text';
import { isPlain, patternWords } from './bash-rule';
import { judgeCommand } from './judge-command';
import { normalizePath } from './path-pattern';
import { ruleText } from './rule';
import type { SimpleCommand } from './shell/parse-command';
import { isFileEdit } from './tool-classes';
import { pathOf, textField } from './tool-place';
import { hostOf } from './tool-rule';

/** Programs whose first argument is what they do; how many words name one deed. */
const WORDS_OF_A_DEED: Readonly<Record<string, number>> = {
  ...Object.fromEntries('git npm pnpm yarn bun cargo go docker kubectl pip pip3 poetry uv make nx gh terraform dotnet mvn gradle bundle'.split(' ').map((name) => [name, 2])),
};
const RUNS_A_SCRIPT = new Set(['run', 'run-script', 'exec', 'compose', 'tool', 'x']);

/** Programs that can do anything with their arguments: only their exact command is offered. */
const DOES_ANYTHING = new Set(
  'sh bash zsh dash eval source . env sudo doas xargs python python3 node deno ruby perl php ssh scp rm dd chmod chown kill pkill curl wget nc psql mysql sqlite3 awk sed npx tee mv cp ln exec'.split(' '),
);
const LONGEST = 200;

/**
 * The rule that a person may allow for the rest of the session instead of this one use, such as `Bash(npm test *)`.
 * Null when none would be both useful and safe to offer, or when it would hold a secret.
 */
export function suggestPattern(tool: string, input: unknown): string | null {
  const pattern = patternFor(tool, input);
  if (pattern === null || pattern.length > LONGEST) return null;
  const text = ruleText({ tool, pattern });
  return maskText(text) === text ? text : null;
}

function patternFor(tool: string, input: unknown): string | null {
  if (tool === 'Bash') return commandPattern(textField(input, 'command') ?? '');
  if (isFileEdit(tool)) return directoryPattern(pathOf(input));
  if (tool !== 'WebFetch') return null;
  const host = hostOf(input);
  return host === null ? null : `domain:${host}`;
}

/** Speaks of the one part that is not quiet by itself; of several, only the exact whole is offered. */
function commandPattern(command: string): string | null {
  const verdict = judgeCommand(command, [], true);
  if (verdict.allowed) return null;
  const [part, ...others] = verdict.open;
  return part && others.length === 0 ? (deedPattern(part) ?? exactPattern(part.text)) : exactPattern(command.trim());
}

function deedPattern(command: SimpleCommand): string | null {
  const words = command.words.map((word) => word.text);
  const program = words[0] ?? '';
  if (!isPlain(command) || DOES_ANYTHING.has(program)) return null;
  const count = (WORDS_OF_A_DEED[program] ?? 1) + (RUNS_A_SCRIPT.has(words[1] ?? '') ? 1 : 0);
  const deed = words.slice(0, count);
  if (deed.length < count || deed.some((word) => !/^[\w./:@+-]+$/.test(word)) || deed.slice(1).some((word) => word.startsWith('-'))) return null;
  const pattern = [...deed, '*'].join(' ');
  return patternWords(pattern).length === count + 1 ? pattern : null;
}

/** Text with a star would mean more than itself as a rule. */
function exactPattern(command: string): string | null {
  return command === '' || /[*\n]/.test(command) || command.endsWith(':') ? null : command;
}

function directoryPattern(path: string | null): string | null {
  const normal = path === null ? null : normalizePath(path);
  if (!normal || normal.includes('*')) return null;
  const directory = normal.slice(0, Math.max(0, normal.lastIndexOf('/')));
  return directory === '' ? normal : `${directory}/**`;
}
