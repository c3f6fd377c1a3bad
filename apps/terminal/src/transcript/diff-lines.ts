import type { FilePatch } from '@chirality/domain';
import { visible } from '../text/safe-text';
import { exactLines, firstLines, type Line } from './line';

const MAX_DIFF_LINES = 24;
const SIGNS = { added: '+', removed: '-', context: ' ' } as const;

/** The changed lines of a file with their signs; what is left out is counted. */
export function diffLines(
  { path, hunks, additions, deletions }: FilePatch,
  columns: number,
  max = MAX_DIFF_LINES,
): Line[] {
  const file = visible((path ?? 'file').replaceAll('\n', '⟨U+000A⟩'));
  const head = exactLines(visible(`${file} +${additions} −${deletions}`), columns, '  ', '  ', 'dim');
  const body = hunks.flatMap(({ lines }) =>
    lines.flatMap(({ kind, text, oldLine, newLine }): Line[] => {
      const number = String(newLine ?? oldLine ?? '').padStart(4);
      // What is decided on is seen as it is: a control character is named, never left out.
      const margin = `  ${number} ${SIGNS[kind]} `;
      return exactLines(visible(text), columns, margin, ' '.repeat(margin.length), kind === 'context' ? 'dim' : kind);
    }),
  );
  return [...head, ...firstLines(body, max)];
}
