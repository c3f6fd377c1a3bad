import { classNames } from '../../../components/class-names';
import { revealHidden } from '../../../lib/text/reveal';
import type { FileMark, Marked } from './file-marks';

const LOOKS: Record<FileMark, { letter: string; name: string; ink: string }> = {
  added: { letter: 'A', name: 'added', ink: 'text-good' },
  modified: { letter: 'M', name: 'modified', ink: 'text-warn' },
  renamed: { letter: 'R', name: 'renamed', ink: 'text-accent' },
  deleted: { letter: 'D', name: 'deleted', ink: 'text-bad' },
  conflict: { letter: '!', name: 'with conflicts', ink: 'text-bad' },
};

const PLACE = 'w-3 shrink-0 text-center text-xs font-semibold';

/** How a file differs from the last commit; the place of the mark where it does not. */
export function FileMarkSign({ marked, isNotCompared = false }: { marked: Marked | null; isNotCompared?: boolean }) {
  if (isNotCompared) {
    return (
      <span className={classNames(PLACE, 'text-faint')} title="not compared">
        <span aria-hidden="true">–</span>
        <span className="sr-only">not compared</span>
      </span>
    );
  }
  if (marked === null) return <span className={PLACE} />;
  const { letter, name, ink } = LOOKS[marked.mark];
  const text = marked.oldPath === undefined ? name : `${name} from ${revealHidden(marked.oldPath)}`;
  return (
    <span className={classNames(PLACE, ink)} title={text}>
      <span aria-hidden="true">{letter}</span>
      <span className="sr-only">{text}</span>
    </span>
  );
}

/** That something below a folder differs, or that nothing can be said about it. */
export function FolderMarkSign({ hasChanges, isNotCompared }: { hasChanges: boolean; isNotCompared: boolean }) {
  if (isNotCompared) {
    return (
      <span className="shrink-0 text-xs text-faint" title="This folder has its own git repository">
        not compared
      </span>
    );
  }
  if (!hasChanges) return <span className={PLACE} />;
  return (
    <span className={classNames(PLACE, 'text-warn')} title="contains changes">
      <span aria-hidden="true">●</span>
      <span className="sr-only">contains changes</span>
    </span>
  );
}
