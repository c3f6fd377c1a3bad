import type { DiffHunk, DiffLine, FilePatch } from '@chirality/domain';
import { Fragment, memo, useState } from 'react';
import { classNames } from '../../../components/ui/class-names';
import { neutraliseOutput } from '../../../lib/text/neutralise';
import { changedWords, type WordRange } from '../lib/changed-words';

/** Longer diffs are cut until somebody asks for the rest. */
const SHOWN_LINES = 400;

const LINE_LOOKS: Record<DiffLine['kind'], { line: string; sign: string; signText: string }> = {
  added: { line: 'bg-added-line', sign: 'text-good', signText: '+' },
  removed: { line: 'bg-removed-line', sign: 'text-bad', signText: '−' },
  context: { line: '', sign: '', signText: '' },
};

function LineText({ text, range, kind }: { text: string; range: WordRange | undefined; kind: DiffLine['kind'] }) {
  if (range === undefined || range.from === range.to) return neutraliseOutput(text);
  return (
    <>
      {neutraliseOutput(text.slice(0, range.from))}
      <mark className={classNames('rounded-[3px] text-inherit', kind === 'added' ? 'bg-added-word' : 'bg-removed-word')}>{neutraliseOutput(text.slice(range.from, range.to))}</mark>
      {neutraliseOutput(text.slice(range.to))}
    </>
  );
}

function Hunk({ hunk, isFirst, showNumbers }: { hunk: DiffHunk; isFirst: boolean; showNumbers: boolean }) {
  const words = changedWords(hunk.lines);
  return (
    <>
      {!isFirst && (
        <tr aria-hidden="true">
          <td colSpan={showNumbers ? 4 : 2} className="border-y border-line bg-sunken px-3 py-0.5 text-center text-xs text-faint select-none">
            ⋯
          </td>
        </tr>
      )}
      {hunk.lines.map((line, at) => {
        const look = LINE_LOOKS[line.kind];
        return (
          <tr key={at} className={look.line}>
            {showNumbers && (
              <Fragment>
                <td className="w-px min-w-9 px-2 text-end text-faint select-none max-phone:hidden">{line.oldLine}</td>
                <td className="w-px min-w-9 px-2 text-end text-faint select-none">{line.newLine}</td>
              </Fragment>
            )}
            <td aria-label={line.kind === 'context' ? undefined : line.kind} className={classNames('w-px ps-2 select-none', look.sign)}>
              {look.signText}
            </td>
            <td className="ps-1.5 pe-3 whitespace-pre">
              <LineText text={line.text} range={words.get(line)} kind={line.kind} /> {'\n'}
            </td>
          </tr>
        );
      })}
    </>
  );
}

function firstLines(hunks: readonly DiffHunk[], count: number): DiffHunk[] {
  const shown: DiffHunk[] = [];
  let left = count;
  for (const hunk of hunks) {
    if (left <= 0) break;
    shown.push({ ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return shown;
}

/** A file's changes, line by line. `showNumbers` is for patches that know where in the file they are. */
export const DiffView = memo(function DiffView({ patch, showNumbers = true, className }: { patch: FilePatch; showNumbers?: boolean; className?: string }) {
  const [isWhole, setWhole] = useState(false);
  const total = patch.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const hunks = isWhole ? patch.hunks : firstLines(patch.hunks, SHOWN_LINES);
  return (
    <div tabIndex={0} role="region" aria-label={`Changes${patch.path === null ? '' : ` of ${patch.path}`}`} className={classNames('overflow-auto focus-visible:-outline-offset-2', className)}>
      <table className="w-full border-collapse font-mono text-sm/[1.5]">
        <tbody>
          {hunks.map((hunk, at) => (
            <Hunk key={at} hunk={hunk} isFirst={at === 0} showNumbers={showNumbers} />
          ))}
        </tbody>
      </table>
      {!isWhole && total > SHOWN_LINES && (
        <button type="button" onClick={() => setWhole(true)} className="w-full border-t border-line px-3 py-2 text-sm font-medium text-accent hover:bg-hover">
          Show all {total} lines
        </button>
      )}
    </div>
  );
});
