import { neutraliseOutput } from '@chirality/domain';

declare const SAFE: unique symbol;

/**
 * Text in which there is nothing that a terminal would obey. Only the functions of this file make it, so that what a
 * server, model or tool wrote cannot be drawn without having gone through one of them.
 */
export type SafeText = string & { readonly [SAFE]: true };

const OBEYED = new RegExp('[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]');

/** Lines that a server, model or tool wrote, without anything that a terminal would obey. */
export function safeText(text: string): SafeText {
  return (OBEYED.test(text) ? neutraliseOutput(text).replaceAll('\t', '    ') : text) as SafeText;
}

/** The same on one line: names, titles, sentences. */
export function oneLine(text: string): SafeText {
  const lines = safeText(text)
    .split('\n')
    .map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ') as SafeText;
}

/** What is decided on, or was written here: every character that a terminal would obey or hide, by its number. */
export function visible(text: string): SafeText {
  return text
    .replaceAll('\t', '    ')
    .replace(
      new RegExp('[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]', 'g'),
      (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    ) as SafeText;
}

/** Our own words around text that is safe: safe`Hello ${oneLine(name)}`. */
export function safe(words: TemplateStringsArray, ...values: readonly (SafeText | number)[]): SafeText {
  return words.map((part, at) => `${part}${values[at] ?? ''}`).join('') as SafeText;
}

const UNSAFE_IN_JSON = new RegExp('[\u007f-\u009f\u202a-\u202e\u2066-\u2069]', 'g');

/** JSON on one line; what JSON itself lets through of what a terminal obeys is escaped, which changes no value. */
export function safeJson(value: unknown): SafeText {
  return JSON.stringify(value).replace(
    UNSAFE_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ) as SafeText;
}
