import type { DiffHunk, DiffLine } from '@chirality/domain';
import type { ReactNode } from 'react';

/** What stands at the lines of a diff beside their text. */
export type LineTools = {
  /** In the margin. `isFirst`: of the whole diff. */
  margin: (line: DiffLine, isFirst: boolean) => ReactNode;
  /** Below the line, as wide as the diff; null where nothing does. */
  below: (line: DiffLine, hunk: DiffHunk) => ReactNode;
};
