import { patchOfInput, type PermissionItem } from '@chirality/domain';
import { visible } from '../text/safe-text';
import { diffLines } from './diff-lines';
import { exactLines, type Line } from './line';

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * What a request is about, all of it, with nothing left out or hidden: a person decides on these lines. No field is
 * passed over because another one says more.
 */
export function requestLines(
  { kind, tool, input, patterns }: Pick<PermissionItem, 'kind' | 'tool' | 'input' | 'patterns'>,
  columns: number,
): Line[] {
  if (kind === 'question') return list(isFields(input) ? input['questions'] : null).flatMap(questionLines(columns));
  if (!isFields(input)) return valueLines('input', input, columns);
  const patch = patchOfInput(tool, input);
  const inDiff = patch === null ? [] : fieldsInDiff(tool, input);
  const others = Object.entries(input).filter(([name]) => !inDiff.includes(name));
  return [
    ...(patch === null ? [] : diffLines(patch, columns, Number.POSITIVE_INFINITY)),
    ...others.flatMap(([name, value]) => valueLines(name, value, columns)),
    ...patterns.flatMap((pattern) => valueLines('can be allowed in this session', pattern, columns)),
  ];
}

/** Every line of a value stands further in than its name, so that none can pass for the name of another. */
function valueLines(name: string, value: unknown, columns: number): Line[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  const head = `${name.replaceAll('\n', '⟨U+000A⟩')}:`;
  if (!text.includes('\n')) return exactLines(visible(`${head} ${text}`), columns, '  ', '    ');
  return [...exactLines(visible(head), columns, '  ', '    '), ...exactLines(visible(text), columns, '    ')];
}

function questionLines(columns: number) {
  return (asked: unknown): Line[] => {
    const { question, options } = isFields(asked) ? asked : {};
    return [
      ...exactLines(visible(String(question ?? '')), columns, '  '),
      ...list(options).flatMap((option) => {
        const { label, description } = isFields(option) ? option : {};
        return exactLines(visible(`- ${String(label ?? '')}: ${String(description ?? '')}`), columns, '  ', '    ');
      }),
    ];
  };
}

const CONTENT: Record<string, string[]> = {
  Edit: ['old_string', 'new_string'],
  MultiEdit: ['edits'],
  Write: ['content'],
  NotebookEdit: ['new_source'],
};

/** The fields that a diff shows whole. One that is not as it is expected to be is not in the diff. */
function fieldsInDiff(tool: string, input: Fields): string[] {
  const path = input['file_path'] == null ? 'notebook_path' : 'file_path';
  return [path, ...(CONTENT[tool] ?? [])].filter((name) => {
    const value = input[name];
    return name === 'edits' ? list(value).every(isPlainEdit) : typeof value === 'string';
  });
}

function isPlainEdit(edit: unknown): boolean {
  return (
    isFields(edit) &&
    Object.entries(edit).every(
      ([name, value]) => ['old_string', 'new_string'].includes(name) && typeof value === 'string',
    )
  );
}
