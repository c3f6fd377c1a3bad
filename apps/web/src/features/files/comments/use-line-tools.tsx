import type { DiffHunk, DiffLine } from '@chirality/domain';
import { Plus } from 'lucide-react';
import { use, useMemo, type KeyboardEvent, type MouseEvent } from 'react';
import type { LineTools } from '../../../components/diff/line-tools';
import type { Comparison } from '../comparison';
import { CommentCard } from './comment-card';
import { NewComment } from './comment-form';
import { CommentingContext, isIn, numberOf, possibleEnds, sideOf, type Commenting } from './commenting';

/** Comments at the lines of a file's changes, and the way to write one. Undefined where nothing is commented on. */
export function useLineTools(comparison: Comparison, path: string): LineTools | undefined {
  const commenting = use(CommentingContext);
  const commit = 'commit' in comparison ? comparison.commit : undefined;
  return useMemo(() => {
    if (commenting === null) return undefined;
    const here = commit === undefined ? ({ scope: 'uncommitted' } as const) : { commit };
    return toolsOf(commenting, here, path);
  }, [commenting, commit, path]);
}

function toolsOf(commenting: Commenting, comparison: Comparison, path: string): LineTools {
  const { open, setOpen, mayWrite } = commenting;
  const comments = commenting.comments.filter(
    (comment) => comment.path === path && isIn(comparison, comment) && comment.outdated !== true,
  );
  const openHere = open !== null && open.path === path && isIn(comparison, open) ? open : null;
  const begin = (line: DiffLine, isExtended: boolean) => {
    const [side, number] = [sideOf(line), numberOf(line)];
    const commit = 'commit' in comparison ? { commit: comparison.commit } : {};
    if (isExtended && openHere?.side === side && number > openHere.line) setOpen({ ...openHere, endLine: number });
    else setOpen({ path, side, line: number, ...commit });
  };
  return {
    margin: (line, isFirst) =>
      mayWrite && (
        <MarginButton
          side={sideOf(line)}
          line={numberOf(line)}
          isTabStop={isFirst}
          onPress={(isExtended) => begin(line, isExtended)}
        />
      ),
    below: (line, hunk) => {
      const [side, number] = [sideOf(line), numberOf(line)];
      const isAt = (place: { side: string; line: number; endLine?: number | undefined }) =>
        place.side === side && (place.endLine ?? place.line) === number;
      const at = comments.filter(isAt);
      const isOpen = openHere !== null && isAt(openHere);
      if (at.length === 0 && !isOpen) return null;
      return (
        <>
          {at.map((comment) => (
            <div key={comment.id} className="m-2">
              <CommentCard comment={comment} commenting={commenting} />
            </div>
          ))}
          {isOpen && (
            <NewComment commenting={commenting} place={openHere} possible={endsOf(hunk, side, openHere.line)} />
          )}
        </>
      );
    },
  };
}

function endsOf(hunk: DiffHunk, side: 'old' | 'new', line: number): number[] {
  const ends = possibleEnds(hunk, side, line);
  return ends.length === 0 ? [line] : ends;
}

type ButtonProps = { side: 'old' | 'new'; line: number; isTabStop: boolean; onPress: (isExtended: boolean) => void };

/**
 * One of a diff’s buttons is reached by Tab; the arrow keys go from line to line. With Shift it extends the comment
 * that is being written to its line.
 */
function MarginButton({ side, line, isTabStop, onPress }: ButtonProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const all = [
      ...(event.currentTarget.closest('table')?.querySelectorAll<HTMLElement>('[data-comment-button]') ?? []),
    ];
    const next = all[all.indexOf(event.currentTarget) + (event.key === 'ArrowDown' ? 1 : -1)];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <button
      type="button"
      data-comment-button=""
      tabIndex={isTabStop ? 0 : -1}
      aria-label={`Comment on line ${line}${side === 'old' ? ' before the change' : ''}`}
      title="Comment on this line (Shift: through this line)"
      onClick={(event: MouseEvent) => onPress(event.shiftKey)}
      onKeyDown={onKeyDown}
      className="inline-flex size-4.5 items-center justify-center rounded-sm bg-accent align-text-top text-on-accent opacity-0 group-hover/line:opacity-100 focus-visible:opacity-100 pointer-coarse:size-6 pointer-coarse:bg-transparent pointer-coarse:text-faint pointer-coarse:opacity-100"
    >
      <Plus size={13} aria-hidden="true" />
    </button>
  );
}
