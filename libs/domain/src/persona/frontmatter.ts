/** A value as it stood in the file, with the line that it began in (the first line is 1). */
export type Field = { name: string; value: string | string[]; line: number };

export class FrontmatterError extends Error {
  constructor(
    readonly line: number,
    readonly field: string | null,
    detail: string,
  ) {
    super(detail);
  }
}

const FENCE = '---';
const FIELD = /^([A-Za-z_][\w-]*)\s*:(?:\s+(.*))?$/;
const ITEM = /^\s*-\s+(.*)$/;

/**
 * Splits a file into the fields between its two `---` lines and the text after them. A field is one line of
 * `name: value`, where the value is text, quoted text or `[a, b]`; or a name and then one `- item` per line.
 * Without a first `---` line there are no fields. Throws a FrontmatterError for anything else.
 */
export function parseFrontmatter(source: string): { fields: Field[]; body: string } {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== FENCE) return { fields: [], body: lines.join('\n').trim() };
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === FENCE);
  if (end < 0) throw new FrontmatterError(1, null, `the "${FENCE}" of line 1 is never closed by another one`);
  const fields: Field[] = [];
  for (let index = 1; index < end; index += 1) readLine(fields, lines[index] ?? '', index + 1);
  for (const { name, value, line } of fields) {
    if (value.length === 0) throw new FrontmatterError(line, name, `"${name}" has no value`);
  }
  return {
    fields,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

function readLine(fields: Field[], text: string, line: number): void {
  if (/^\s*(?:#.*)?$/.test(text)) return;
  const item = ITEM.exec(text);
  const last = fields.at(-1);
  if (item) {
    if (!last || (!Array.isArray(last.value) && last.value !== ''))
      throw new FrontmatterError(line, last?.name ?? null, 'an item of a list without the name of the list above it');
    last.value = [...last.value, scalar(item[1] ?? '', line, last.name)];
    return;
  }
  const field = FIELD.exec(text);
  if (!field?.[1])
    throw new FrontmatterError(line, null, `"${text.trim().slice(0, 60)}" is neither "name: value" nor "- item"`);
  const name = field[1];
  if (fields.some((other) => other.name === name)) throw new FrontmatterError(line, name, `"${name}" is given twice`);
  fields.push({ name, value: valueOf(field[2] ?? '', line, name), line });
}

function valueOf(text: string, line: number, name: string): string | string[] {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[')) return scalar(trimmed, line, name);
  if (!trimmed.endsWith(']')) throw new FrontmatterError(line, name, `the list of "${name}" has no closing "]"`);
  return splitList(trimmed.slice(1, -1)).map((part) => scalar(part, line, name));
}

function scalar(text: string, line: number, name: string): string {
  const trimmed = text.trim();
  const quote = trimmed.charAt(0);
  if (quote !== '"' && quote !== "'") return trimmed;
  if (trimmed.length < 2 || !trimmed.endsWith(quote))
    throw new FrontmatterError(line, name, `the quote in "${name}" is not closed`);
  return trimmed.slice(1, -1);
}

/** Parts between commas, but for commas inside parentheses or quotes: `Read, Bash(git log, *)` has two. */
export function splitList(text: string): string[] {
  const parts: string[] = [''];
  let depth = 0;
  let quote = '';
  for (const character of text) {
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ',' && depth <= 0) {
      parts.push('');
      continue;
    }
    parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
