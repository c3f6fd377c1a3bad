import type { NewEvent, SearchField } from '@chirality/contracts';
import { pathOf } from '../permission/tool-place';
import { headOf, tailOf } from '../text/cut-text';

/** What of an event can be searched for. */
type SearchedText = { field: Exclude<SearchField, 'title'>; text: string };

/**
 * Most characters of a text that are kept for the search: of what people and Claude say, and of what tools take and
 * return.
 */
const MAX_SAID_CHARS = 8_000;
const MAX_TOOL_CHARS = 2_000;
const MAX_PATH_CHARS = 500;
/** Of a tool's text so much is its end, where programs say how it went. */
const TOOL_END_CHARS = 600;
const MAX_DEPTH = 6;

/**
 * The texts of an event, each bounded; none for most kinds. They are what the event says, which is masked. The path
 * that a tool names is a text beside its input.
 */
export function searchedTexts({ kind, payload }: Pick<NewEvent, 'kind' | 'payload'>): SearchedText[] {
  const fields = payload as Record<string, unknown>;
  switch (kind) {
    case 'turn:queued':
      return textOf('message', headOf(words(fields['message']), MAX_SAID_CHARS));
    case 'chat:complete':
      return textOf('answer', headOf(words(fields['text']), MAX_SAID_CHARS));
    case 'tool:start': {
      const { input } = fields;
      const path = headOf(pathOf(input)?.trim() ?? '', MAX_PATH_CHARS);
      return [...textOf('file', path), ...textOf('tool_input', bothEnds(stringsIn(input, path)))];
    }
    case 'tool:result':
      return textOf('tool_output', bothEnds(stringsIn(fields['content'], '')));
    default:
      return [];
  }
}

function textOf(field: SearchedText['field'], text: string): SearchedText[] {
  return text.trim() === '' ? [] : [{ field, text }];
}

const words = (value: unknown): string => (typeof value === 'string' ? value : '');

function bothEnds(text: string): string {
  if (text.length <= MAX_TOOL_CHARS) return text;
  return `${headOf(text, MAX_TOOL_CHARS - TOOL_END_CHARS)} … ${tailOf(text, TOOL_END_CHARS)}`;
}

/** The strings of a value, without the path that stands for itself and without data of images. */
function stringsIn(value: unknown, path: string): string {
  const found: string[] = [];
  const look = (each: unknown, depth: number): void => {
    if (typeof each === 'string') {
      if (each.trim() !== path) found.push(each);
    } else if (typeof each === 'object' && each !== null && depth < MAX_DEPTH) {
      if ((each as { type?: unknown }).type === 'base64') return;
      for (const [name, member] of Object.entries(each)) if (name !== 'type') look(member, depth + 1);
    }
  };
  look(value, 0);
  return found.join('\n');
}
