import type { DiffHunk, DiffLine, FilePatch } from '@chirality/domain';
import { Fragment, memo, useEffect, useMemo, useState } from 'react';
import { classNames } from '../class-names';
import { UntrustedText } from '../text/untrusted-text';
import { plural } from '../../lib/format/count';
import { useObservable } from '../../lib/state/use-observable';
import { useHighlighter, type Highlight } from '../code/use-highlighter';
import { changedWords, type WordRange } from './changed-words';
import { languageOfPath } from '../code/language-of-path';
import { wrappedLines } from './wrapped-lines';
import type { LineTools } from './line-tools';
import { piecesOf, tokensOfHunk, type Token } from './line-tokens';

/** Longer diffs are cut until the user asks for the rest. */
const SHOWN_LINES = 400;
const SHOWN_CHARACTERS = 60_000;
/** Each coloured part is an element; more lines than this are shown plain. */
const MAX_COLOURED_LINES = 2_000;

const LINE_LOOKS: Record<DiffLine['kind'], { line: string; sign: string; signText: string }> = {
  added: { line: 'bg-added-line', sign: 'text-good', signText: '+' },
  removed: { line: 'bg-removed-line', sign: 'text-bad', signText: '−' },
  context: { line: '', sign: '', signText: '' },
};

type LineProps = { line: DiffLine; range: WordRange | undefined; tokens: readonly Token[] | undefined };

function LineText({ line, range, tokens }: LineProps) {
  // A carriage return at the end is how Windows ends lines; anywhere else it hides what stands before it.
  const isWindows = line.text.endsWith('\r');
  const text = isWindows ? line.text.slice(0, -1) : line.text;
  const changed = classNames('rounded-[3px] text-inherit', line.kind === 'added' ? 'bg-added-word' : 'bg-removed-word');
  return (
    <>
      {piecesOf(text, tokens, range).map(({ text: part, className, isChanged }, at) => {
        const coloured = (
          <span key={at} className={className ?? undefined}>
            <UntrustedText text={part} />
          </span>
        );
        // Not every kind of token has a colour, and a browser's own for marks is black.
        return isChanged ? (
          <mark key={at} className={changed}>
            {coloured}
          </mark>
        ) : (
          coloured
        );
      })}
      {isWindows && (
        <span title="This line ends with a carriage return, as on Windows" className="text-faint select-none">
          ␍
        </span>
      )}
    </>
  );
}

type HunkProps = {
  hunk: DiffHunk;
  language: string | null;
  highlight: Highlight | null;
  isFirst: boolean;
  showNumbers: boolean;
  isWrapped: boolean;
  tools: LineTools | undefined;
};

function Hunk({ hunk, language, highlight, isFirst, showNumbers, isWrapped, tools }: HunkProps) {
  const columns = (showNumbers ? 4 : 2) + (tools === undefined ? 0 : 1);
  const words = useMemo(() => changedWords(hunk.lines), [hunk]);
  const tokens = useMemo(
    () =>
      highlight === null || language === null ? null : tokensOfHunk(hunk.lines, (code) => highlight(code, language)),
    [hunk, highlight, language],
  );
  return (
    <>
      {!isFirst && (
        <tr aria-hidden="true">
          <td
            colSpan={columns}
            className="border-y border-line bg-sunken px-3 py-0.5 text-center text-xs text-faint select-none"
          >
            ⋯
          </td>
        </tr>
      )}
      {hunk.lines.map((line, at) => {
        const look = LINE_LOOKS[line.kind];
        const below = tools?.below(line, hunk) ?? null;
        return (
          <Fragment key={at}>
            <tr className={classNames('group/line align-top', look.line)}>
              {tools !== undefined && (
                <td className="w-px ps-1 select-none">{tools.margin(line, isFirst && at === 0)}</td>
              )}
              {showNumbers && (
                <Fragment>
                  <td className="w-px min-w-9 px-2 text-end text-faint select-none max-phone:hidden">{line.oldLine}</td>
                  <td className="w-px min-w-9 px-2 text-end text-faint select-none">{line.newLine}</td>
                </Fragment>
              )}
              <td
                aria-label={line.kind === 'context' ? undefined : line.kind}
                className={classNames('w-px ps-2 select-none', look.sign)}
              >
                {look.signText}
              </td>
              <td
                className={classNames(
                  'ps-1.5 pe-3',
                  isWrapped ? 'whitespace-break-spaces wrap-anywhere' : 'whitespace-pre',
                )}
              >
                <LineText line={line} range={words.get(line)} tokens={tokens?.get(line)} /> {'\n'}
              </td>
            </tr>
            {below !== null && (
              <tr>
                {/* As wide as what is in sight, where long lines make the table wider. */}
                <td colSpan={columns}>
                  <div className="sticky start-0 w-[100cqi]">{below}</div>
                </td>
              </tr>
            )}
          </Fragment>
        );
      })}
    </>
  );
}

/**
 * The beginning of a diff, and whether anything is missing: one line may be longer than a browser lays out without a
 * pause.
 */
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

function charactersIn(hunks: readonly DiffHunk[]): number {
  return hunks.reduce((sum, { lines }) => lines.reduce((inHunk, { text }) => inHunk + text.length, sum), 0);
}

type Props = {
  patch: FilePatch;
  /** For patches that know where in the file they are. */
  showNumbers?: boolean;
  /** Long lines are wrapped whatever the person chose: nothing lies out of sight sideways. */
  mustWrap?: boolean;
  tools?: LineTools | undefined;
  /** Says whether all of it is in the box, and not only its beginning. */
  onWhole?: (isWhole: boolean) => void;
  className?: string;
};

/** A file's changes, line by line. */
export const DiffView = memo(function DiffView({
  patch,
  showNumbers = true,
  mustWrap = false,
  tools,
  onWhole,
  className,
}: Props) {
  const [isWhole, setWhole] = useState(false);
  const isWrapped = useObservable(wrappedLines.isOn) || mustWrap;
  const total = patch.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const beginning = useMemo(() => beginningOf(patch.hunks), [patch]);
  const isComplete = isWhole || beginning.isWhole;
  const hunks = isComplete ? patch.hunks : beginning.shown;
  const isTooLong = isComplete && total > MAX_COLOURED_LINES;
  const language = patch.path === null || isTooLong ? null : languageOfPath(patch.path);
  // By the whole diff: many hunks are coloured at once, and hold up the page together.
  const highlight = useHighlighter(
    useMemo(() => charactersIn(hunks), [hunks]),
    language,
  );
  useEffect(() => onWhole?.(isComplete), [onWhole, isComplete]);
  return (
    <div
      {...(mustWrap
        ? {}
        : { tabIndex: 0, role: 'region', 'aria-label': `Changes${patch.path === null ? '' : ` of ${patch.path}`}` })}
      className={classNames('@container', !mustWrap && 'overflow-auto focus-visible:-outline-offset-2', className)}
    >
      <table className="w-full border-collapse font-mono text-sm/[1.5]">
        <tbody>
          {hunks.map((hunk, at) => (
            <Hunk
              key={at}
              hunk={hunk}
              language={language}
              highlight={highlight}
              isFirst={at === 0}
              showNumbers={showNumbers}
              isWrapped={isWrapped}
              tools={tools}
            />
          ))}
        </tbody>
      </table>
      {!isComplete && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="w-full border-t border-line px-3 py-2 text-sm font-medium text-accent hover:bg-hover"
        >
          Show all of it ({plural(total, 'line')})
        </button>
      )}
    </div>
  );
});
