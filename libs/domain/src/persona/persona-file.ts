import { optionsSchema, type Options, type PersonaProblem } from '@chirality/contracts';
import { limitBreaches, limitSentence, type LimitsInForce } from '../options/option-limits';
import { FrontmatterError, parseFrontmatter, splitList, type Field } from './frontmatter';

export type PersonaDefinition = {
  key: string;
  name: string;
  description: string;
  options: Pick<Options, 'tools' | 'disallowedTools' | 'autoApproveTools' | 'maxTurns' | 'model'>;
  /** What is put before the model. */
  prompt: string;
};

/** What is wrong with a persona's file, as one sentence that names the file, the line and the field. */
export class PersonaFileError extends Error {
  constructor(
    readonly file: string,
    readonly line: number,
    readonly field: string | null,
    readonly detail: string,
  ) {
    super(`${file}:${line}: ${field === null ? '' : `${field}: `}${detail}`);
  }

  /** The same for the wire. */
  get problem(): PersonaProblem {
    return { file: this.file, line: this.line, field: this.field, detail: this.detail };
  }
}

const TEXTS = ['name', 'description'] as const;
const LISTS = { tools: 'tools', disallowed_tools: 'disallowedTools', auto_approve_tools: 'autoApproveTools' } as const;
const KNOWN = [...TEXTS, ...Object.keys(LISTS), 'max_turns', 'model'];
const FILE_NAME = /(?:^|\/)AGENT_([A-Za-z0-9][\w-]*)\.md$/;

/** The key of a persona by its file's name: AGENT_BUG_HUNTER.md is bug-hunter. Null for a file of another form. */
export function personaKeyOf(file: string): string | null {
  const key = FILE_NAME.exec(file)?.[1];
  return key === undefined ? null : normalizePersonaKey(key);
}

/** The name of the file of that key's persona, the reverse of `personaKeyOf`. */
export function personaFileOf(key: string): string {
  return `AGENT_${normalizePersonaKey(key).toUpperCase().replaceAll('-', '_')}.md`;
}

/** Keys that differ only in case or in `_` and `-` are the same key. */
export function normalizePersonaKey(key: string): string {
  return key.toLowerCase().replaceAll('_', '-');
}

/**
 * Reads `agents/AGENT_<KEY>.md`. Fields: name, description, tools, disallowed_tools, auto_approve_tools (a list, or
 * text with commas), max_turns, model. Throws a PersonaFileError for a bad value, an unknown field, or a value beyond
 * one of `limits`: nothing is guessed.
 */
export function parsePersonaFile(source: string, file: string, limits: LimitsInForce = {}): PersonaDefinition {
  const key = personaKeyOf(file);
  if (key === null) throw new PersonaFileError(file, 1, null, 'the file of a persona is named AGENT_<KEY>.md');
  const { fields, body } = readFields(source, file);
  const options: PersonaDefinition['options'] = {};
  const texts: { name?: string; description?: string } = {};
  for (const field of fields) assign(field, options, texts, { file, limits });
  if (body === '')
    throw new PersonaFileError(file, 1, null, 'there is no text after the fields: it is the model’s instructions');
  return {
    key,
    name: texts.name ?? titleOf(key),
    description: texts.description ?? firstSentence(body),
    options,
    prompt: body,
  };
}

function readFields(source: string, file: string): { fields: Field[]; body: string } {
  try {
    return parseFrontmatter(source);
  } catch (error) {
    if (error instanceof FrontmatterError) throw new PersonaFileError(file, error.line, error.field, error.message);
    throw error;
  }
}

function assign(
  field: Field,
  options: PersonaDefinition['options'],
  texts: { name?: string; description?: string },
  { file, limits }: { file: string; limits: LimitsInForce },
): void {
  const { name, line } = field;
  if (!KNOWN.includes(name))
    throw new PersonaFileError(file, line, name, `is no field of a persona; known are ${KNOWN.join(', ')}`);
  if (name === 'name' || name === 'description') texts[name] = oneText(field, file);
  else if (name === 'max_turns') {
    assignOption(options, 'maxTurns', wholeNumber(field, file), field, file);
    for (const { option, limit } of limitBreaches(options, limits))
      throw new PersonaFileError(file, line, name, limitSentence(option, limit));
  } else if (name === 'model') assignOption(options, 'model', oneText(field, file), field, file);
  else {
    const list = Array.isArray(field.value) ? field.value : splitList(field.value);
    const isDefault = name === 'tools' && list.length === 1 && list[0] === 'default';
    assignOption(options, LISTS[name as keyof typeof LISTS], isDefault ? 'default' : list, field, file);
  }
}

function assignOption(
  options: PersonaDefinition['options'],
  key: keyof PersonaDefinition['options'],
  value: unknown,
  field: Field,
  file: string,
): void {
  const parsed = optionsSchema.safeParse({ [key]: value });
  if (!parsed.success)
    throw new PersonaFileError(file, field.line, field.name, parsed.error.issues[0]?.message ?? 'is not valid');
  Object.assign(options, parsed.data);
}

function oneText(field: Field, file: string): string {
  if (Array.isArray(field.value))
    throw new PersonaFileError(file, field.line, field.name, 'must be one text, not a list');
  return field.value;
}

function wholeNumber(field: Field, file: string): number {
  const text = oneText(field, file);
  if (!/^\d{1,9}$/.test(text))
    throw new PersonaFileError(file, field.line, field.name, `must be a whole number, not "${text.slice(0, 40)}"`);
  return Number(text);
}

function titleOf(key: string): string {
  const words = key.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function firstSentence(body: string): string {
  const line = body.split('\n').find((one) => one.trim() !== '' && !one.startsWith('#')) ?? '';
  return (/^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line).slice(0, 200);
}
