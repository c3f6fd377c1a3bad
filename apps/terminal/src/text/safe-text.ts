import { neutraliseOutput } from '@chirality/domain';

/** Lines that a server, model or tool wrote, without anything that a terminal would obey. */
export function safeText(text: string): string {
  return neutraliseOutput(text).replaceAll('\t', '    ');
}

/** The same on one line: names, titles, sentences. */
export function oneLine(text: string): string {
  return safeText(text)
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}

const UNSAFE_IN_JSON = new RegExp('[\u007f-\u009f\u202a-\u202e\u2066-\u2069]', 'g');

/** JSON on one line; what JSON itself lets through of what a terminal obeys is escaped, which changes no value. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
