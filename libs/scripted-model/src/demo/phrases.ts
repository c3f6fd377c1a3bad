/** Output in a code block, cut to what a person wants to read. */
export function quoted(output: string, language = '', mostLines = 25): string {
  const lines = output.trim().split('\n');
  const shown = lines.slice(0, mostLines).join('\n');
  const more = lines.length > mostLines ? `\n… ${lines.length - mostLines} more lines` : '';
  const fence = '`'.repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map((match) => match[0].length + 1)));
  return `${fence}${language}\n${shown}${more}\n${fence}`;
}

const FILE = /(?:^|[\s`'"(])((?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.[A-Za-z][A-Za-z0-9]{0,5})(?=$|[\s`'"),:;!?]|\.(?:\s|$))/;

/** The first thing in a message that looks like a file of the project. */
export function fileIn(asked: string): string | null {
  const found = FILE.exec(asked)?.[1];
  return found === undefined || /^(?:e\.g|i\.e|etc)$/i.test(found) ? null : found;
}

export function baseName(path: string): string {
  return path.split('/').pop() ?? path;
}

export function extensionOf(path: string): string {
  const name = baseName(path);
  return name.includes('.') ? (name.split('.').pop() ?? '').toLowerCase() : '';
}

export const TRY_NEXT: Readonly<Record<string, string>> = {
  explain: '“explain this project”',
  create: '“create a file called hello.py”',
  edit: '“edit the README”',
  run: '“run `date > now.txt`”',
  plan: '“make a task list”',
  think: '“think about it step by step”',
  markdown: '“show me markdown”',
  fail: '“run a command that fails”',
  ask: '“ask me a question”',
};

/** One line that offers what to try after this. */
export function offer(...what: (keyof typeof TRY_NEXT & string)[]): string {
  const offers = what.map((name) => TRY_NEXT[name]).filter((one) => one !== undefined);
  return `Next you could try ${offers.length > 1 ? `${offers.slice(0, -1).join(', ')} or ${offers.at(-1)}` : offers[0]}.`;
}
