import { useState } from 'react';
import { CopyButton } from '../../../components/ui/copy-button';
import { classNames } from '../../../components/class-names';
import { neutraliseOutput } from '@chirality/domain';
import { revealHidden } from '../../../lib/text/reveal';
import { Highlighted } from '../../../components/code/highlighted';
import { resultParts } from './result-text';

const SHOWN_LINES = 24;
/** A browser lays out this much text without a pause. */
const SHOWN_CHARACTERS = 300_000;

function cut(text: string, isWhole: boolean): { shown: string; hiddenLines: number } {
  const lines = text.split('\n');
  if (isWhole || lines.length <= SHOWN_LINES + 6) return { shown: text.slice(0, SHOWN_CHARACTERS), hiddenLines: 0 };
  return {
    shown: lines.slice(0, SHOWN_LINES).join('\n').slice(0, SHOWN_CHARACTERS),
    hiddenLines: lines.length - SHOWN_LINES,
  };
}

type Props = {
  text: string;
  isError?: boolean;
  language?: string | null;
  label: string;
  /** What went into a tool is shown whole; what came out, as a terminal would leave it. */ isInput?: boolean;
};

export function OutputText({ text, isError = false, language = null, label, isInput = false }: Props) {
  const [isWhole, setWhole] = useState(false);
  const plain = (isInput ? revealHidden(text) : neutraliseOutput(text)).replace(/\n+$/, '');
  const { shown, hiddenLines } = cut(plain, isWhole);
  if (plain === '') return <p className="px-3 py-2 text-sm text-faint">No output</p>;
  return (
    <div className="group/output relative">
      <pre
        tabIndex={0}
        aria-label={label}
        className={classNames(
          'max-h-[28rem] overflow-auto px-3 py-2 font-mono text-sm/[1.5] focus-visible:-outline-offset-2',
          isError && 'text-bad',
        )}
      >
        <Highlighted code={shown} language={language} />
      </pre>
      {hiddenLines > 0 && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="w-full border-t border-line px-3 py-1.5 text-start text-sm font-medium text-accent hover:bg-hover"
        >
          Show {hiddenLines} more lines
        </button>
      )}
      {hiddenLines === 0 && plain.length > shown.length && (
        <p className="border-t border-line px-3 py-1.5 text-sm text-muted">
          {plain.length - shown.length} more characters are not shown. Copy to read all of it.
        </p>
      )}
      <CopyButton
        text={plain}
        label={`Copy the ${label.toLowerCase()}`}
        className="absolute end-1 top-1 bg-surface opacity-0 group-hover/output:opacity-100 focus-visible:opacity-100"
      />
    </div>
  );
}

/** What a tool answered: text made harmless, and pictures that came with it. */
export function ToolOutput({
  content,
  isError,
  language,
}: {
  content: unknown;
  isError: boolean;
  language?: string | null;
}) {
  const parts = resultParts(content);
  if (parts.length === 0) return <p className="px-3 py-2 text-sm text-faint">No output</p>;
  return parts.map((part, at) =>
    part.kind === 'image' ? (
      <img
        key={at}
        src={part.source}
        alt="Picture that the tool answered"
        className="m-3 max-h-96 max-w-[calc(100%-1.5rem)] rounded-md border border-line"
      />
    ) : (
      <OutputText key={at} text={part.text} isError={isError} language={language ?? null} label="Result" />
    ),
  );
}
