import type { DiffComment } from '@chirality/contracts';
import type { DiffHunk, DiffLine } from '@chirality/domain';
import { createContext } from 'react';
import type { Comparison } from '../comparison';

/** Lines that a comment is about. */
export type Place = Pick<DiffComment, 'path' | 'side' | 'line' | 'endLine' | 'commit'>;

export type Commenting = {
  sessionId: string;
  myId: string;
  mayWrite: boolean;
  comments: readonly DiffComment[];
  /** Where a new comment is being written. */
  open: Place | null;
  setOpen: (place: Place | null) => void;
};

/** Null where nothing is commented on. */
export const CommentingContext = createContext<Commenting | null>(null);

/** What is there now is commented on as such; only what was removed, as it was before. */
export function sideOf({ kind }: DiffLine): 'old' | 'new' {
  return kind === 'removed' ? 'old' : 'new';
}

export function numberOf(line: DiffLine): number {
  return (sideOf(line) === 'old' ? line.oldLine : line.newLine) ?? 0;
}

/** Whether a comment is on changes of this comparison. */
export function isIn(comparison: Comparison, { commit }: Pick<Place, 'commit'>): boolean {
  return 'commit' in comparison ? commit === comparison.commit : commit === undefined;
}

const MAX_LINES = 200;

/** The lines that a comment which begins at one may end at: those of its side that follow without a gap. */
export function possibleEnds(hunk: DiffHunk, side: 'old' | 'new', line: number): number[] {
  return hunk.lines
    .map((one) => (side === 'old' ? one.oldLine : one.newLine))
    .filter((number): number is number => number !== null && number >= line && number < line + MAX_LINES);
}

export function placeText({ path, side, line, endLine = line }: Place): string {
  const lines = line === endLine ? `line ${line}` : `lines ${line}–${endLine}`;
  return `${path}, ${lines}${side === 'old' ? ' before the change' : ''}`;
}
