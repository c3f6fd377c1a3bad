import { oneLine, safeText, type SafeText } from '../text/safe-text';

const MAX_CHARACTERS = 200;
/** What says the most of a tool’s input, the first that is there. */
const TELLING = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'url',
  'query',
  'description',
  'prompt',
  'skill',
];

/** `Bash(npm test)`: a tool’s name and what it is about, on one line. */
export function toolTitle(name: string | null, input: unknown): SafeText {
  const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  const telling = TELLING.map((field) => fields[field]).find((value) => typeof value === 'string' && value !== '');
  const what = typeof telling === 'string' ? oneLine(telling.replace(/^\/workspace\//, '')) : '';
  const cut = what.length > MAX_CHARACTERS ? `${what.slice(0, MAX_CHARACTERS - 1)}…` : what;
  return safeText(`${oneLine(name ?? 'Tool')}${cut === '' ? '' : `(${cut})`}`);
}
