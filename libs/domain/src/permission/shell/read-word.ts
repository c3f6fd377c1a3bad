export type ShellWord = {
  /** As the program would receive it, quotes and escapes resolved. */
  text: string;
  /** It has an unquoted `*`, `?` or `[`, which the shell replaces by file names. */
  expands: boolean;
  quoted: boolean;
};

type WordRead = { ok: true; word: ShellWord; next: number } | { ok: false; why: string };

const WORD_ENDS = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')', '']);
/** Braces that the shell leaves alone: `{}` and the like of `HEAD@{1}`. */
const LITERAL_BRACES = /^\{[\w+-]*\}/;

const refuse = (why: string): WordRead => ({ ok: false, why });

/** Reads the word that starts at `from`, which is no white space. */
export function readWord(source: string, from: number): WordRead {
  const word: ShellWord = { text: '', expands: false, quoted: false };
  let at = from;
  while (!WORD_ENDS.has(source.charAt(at))) {
    const character = source.charAt(at);
    if (character === "'" || character === '"') {
      const quoted = character === "'" ? readSingleQuoted(source, at) : readDoubleQuoted(source, at);
      if (!quoted.ok) return quoted;
      word.text += quoted.word.text;
      word.quoted = true;
      at = quoted.next;
      continue;
    }
    if (character === '`') return refuse('it contains a command substitution');
    if (character === '$' && !isLiteralDollar(source, at)) return refuse('it contains an expansion');
    if (character === '#' && at === from) return refuse('it contains a comment');
    if (character === '{' || character === '}') {
      const braces = LITERAL_BRACES.exec(source.slice(at, at + 64))?.[0];
      if (!braces) return refuse('it contains braces');
      word.text += braces;
      at += braces.length;
      continue;
    }
    if (character === '\\') {
      const escaped = source.charAt(at + 1);
      if (escaped === '' || escaped === '\n') return refuse('it continues on the next line');
      word.text += escaped;
      word.quoted = true;
      at += 2;
      continue;
    }
    if (character === '*' || character === '?' || character === '[') word.expands = true;
    word.text += character;
    at += 1;
  }
  return { ok: true, word, next: at };
}

function readSingleQuoted(source: string, from: number): WordRead {
  const end = source.indexOf("'", from + 1);
  if (end < 0) return refuse('a quote is not closed');
  return { ok: true, word: { text: source.slice(from + 1, end), expands: false, quoted: true }, next: end + 1 };
}

function readDoubleQuoted(source: string, from: number): WordRead {
  let text = '';
  for (let at = from + 1; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '"') return { ok: true, word: { text, expands: false, quoted: true }, next: at + 1 };
    if (character === '`') return refuse('it contains a command substitution');
    if (character === '$' && !isLiteralDollar(source, at, '"')) return refuse('it contains an expansion');
    if (character === '\\') {
      const escaped = source.charAt(at + 1);
      if (escaped === '\n') return refuse('it continues on the next line');
      if (escaped !== '' && '$`"\\'.includes(escaped)) {
        text += escaped;
        at += 1;
        continue;
      }
    }
    text += character;
  }
  return refuse('a quote is not closed');
}

/** A dollar sign stands for itself only where nothing that it could expand follows. */
function isLiteralDollar(source: string, at: number, closing = ''): boolean {
  const next = source.charAt(at + 1);
  return next === '' || next === ' ' || next === '\t' || next === '\n' || next === closing;
}
