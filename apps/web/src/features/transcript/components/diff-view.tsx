import type { DiffHunk, DiffLine, FilePatch } from '@chirality/domain';
import { Fragment, memo, useEffect, useMemo, useState } from 'react';
import { classNames } from '../../../components/ui/class-names';
import { UntrustedText } from '../../../components/ui/untrusted-text';
import { plural } from '../../../lib/format/count';
import { changedWords, type WordRange } from '../lib/changed-words';

/** Longer diffs are cut until somebody asks for the rest. */
const SHOWN_LINES = 400;
const SHOWN_CHARACTERS = 60_000;

const LINE_LOOKS: Record<DiffLine['kind'], { line: string; sign: string; signText: string }> = {
  added: { line: 'bg-added-line', sign: 'text-good', signText: '+' },
  removed: { line: 'bg-removed-line', sign: 'text-bad', signText: '−' },
  context: { line: '', sign: '', signText: '' },
};

function LineText({ text: line, range, kind }: { text: string; range: WordRange | undefined; kind: DiffLine['kind'] }) {
  // A carriage return at the end is how Windows ends lines; anywhere else it hides what stands before it.
  const isWindows = line.endsWith('\r');
  const text = isWindows ? line.slice(0, -1) : line;
  const end = isWindows && (
    <span title="This line ends with a carriage return, as on Windows" className="text-faint select-none">
      ␍
    </span>
  );
  if (range === undefined || range.from === range.to) {
    return (
      <>
        <UntrustedText text={text} />
        {end}
      </>
    );
  }
  return (
    <>
      <UntrustedText text={text.slice(0, range.from)} />
      <mark className={classNames('rounded-[3px] text-inherit', kind === 'added' ? 'bg-added-word' : 'bg-removed-word')}>
        <UntrustedText text={text.slice(range.from, range.to)} />
      </mark>
      <UntrustedText text={text.slice(range.to)} />
      {end}
    </>
  );
}

function Hunk({ hunk, isFirst, showNumbers, isWrapped }: { hunk: DiffHunk; isFirst: boolean; showNumbers: boolean; isWrapped: boolean }) {
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
          <tr key={at} className={classNames('align-top', look.line)}>
            {showNumbers && (
              <Fragment>
                <td className="w-px min-w-9 px-2 text-end text-faint select-none max-phone:hidden">{line.oldLine}</td>
                <td className="w-px min-w-9 px-2 text-end text-faint select-none">{line.newLine}</td>
              </Fragment>
            )}
            <td aria-label={line.kind === 'context' ? undefined : line.kind} className={classNames('w-px ps-2 select-none', look.sign)}>
              {look.signText}
            </td>
            <td className={classNames('ps-1.5 pe-3', isWrapped ? 'whitespace-break-spaces wrap-anywhere' : 'whitespace-pre')}>
              <LineText text={line.text} range={words.get(line)} kind={line.kind} /> {'\n'}
            </td>
          </tr>
        );
      })}
    </>
  );
}

/** The beginning of a diff, and whether anything is missing: one line may be longer than a browser lays out without a pause. */
function beginningOf(hunks: readonly DiffHunk[]): { shown: DiffHunk[]; isWhole: boolean } {
  const shown: DiffHunk[] = [];
  let lines = SHOWN_LINES;
  let characters = SHOWN_CHARACTERS;
  for (const hunk of hunks) {
    const taken: DiffLine[] = [];
    for (const line of hunk.lines) {
      if (lines === 0 || characters === 0) return { shown: [...shown, { ...hunk, lines: taken }], isWhole: false };
      taken.push(line.text.length <= characters ? line : { ...line, text: line.text.slice(0, characters) });
      lines -= 1;
      if (line.text.length > characters) return { shown: [...shown, { ...hunk, lines: taken }], isWhole: false };
      characters -= line.text.length;
    }
    shown.push({ ...hunk, lines: taken });
  }
  return { shown, isWhole: true };
}

type Props = {
  patch: FilePatch;
  /** For patches that know where in the file they are. */
  showNumbers?: boolean;
  /** Long lines are broken instead of scrolled to: nothing lies out of sight sideways. */
  isWrapped?: boolean;
  /** Says whether all of it is in the box, and not only its beginning. */
  onWhole?: (isWhole: boolean) => void;
  className?: string;
};

/** A file's changes, line by line. */
export const DiffView = memo(function DiffView({ patch, showNumbers = true, isWrapped = false, onWhole, className }: Props) {
  const [isWhole, setWhole] = useState(false);
  const total = patch.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const beginning = useMemo(() => beginningOf(patch.hunks), [patch]);
  const isComplete = isWhole || beginning.isWhole;
  const hunks = isComplete ? patch.hunks : beginning.shown;
  useEffect(() => onWhole?.(isComplete), [onWhole, isComplete]);
  return (
    <div
      {...(isWrapped ? {} : { tabIndex: 0, role: 'region', 'aria-label': `Changes${patch.path === null ? '' : ` of ${patch.path}`}` })}
      className={classNames(!isWrapped && 'overflow-auto focus-visible:-outline-offset-2', className)}
    >
      <table className="w-full border-collapse font-mono text-sm/[1.5]">
        <tbody>
          {hunks.map((hunk, at) => (
            <Hunk key={at} hunk={hunk} isFirst={at === 0} showNumbers={showNumbers} isWrapped={isWrapped} />
          ))}
        </tbody>
      </table>
      {!isComplete && (
        <button type="button" onClick={() => setWhole(true)} className="w-full border-t border-line px-3 py-2 text-sm font-medium text-accent hover:bg-hover">
          Show all of it ({plural(total, 'line')})
        </button>
      )}
    </div>
  );
});
