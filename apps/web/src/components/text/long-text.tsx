import { useMemo, useState } from 'react';
import { formatBytes } from '../../lib/format/count';
import { pagesOf } from '../../lib/text/pages';
import { revealInProse } from '../../lib/text/reveal';
import { classNames } from '../class-names';

/** A browser lays out this much text without a pause. */
const PAGE_CHARACTERS = 50_000;

function Page({ text }: { text: string }) {
  return useMemo(() => revealInProse(text), [text]);
}

/** What a person wrote, of any length: more of it when it is asked for. */
export function LongText({ text, className }: { text: string; className?: string }) {
  const [count, setCount] = useState(1);
  const pages = useMemo(() => pagesOf(text, PAGE_CHARACTERS), [text]);
  const restBytes = useMemo(() => new Blob(pages.slice(count)).size, [pages, count]);
  return (
    <>
      <p dir="auto" className={classNames('whitespace-pre-wrap wrap-anywhere', className)}>
        {pages.slice(0, count).map((page, at) => (
          <Page key={at} text={page} />
        ))}
      </p>
      {restBytes > 0 && (
        <button
          type="button"
          onClick={() => setCount(count + 1)}
          className="mt-1 me-4 rounded-sm text-sm font-medium text-accent hover:underline pointer-coarse:py-2.5"
        >
          Show more ({formatBytes(restBytes)} left)
        </button>
      )}
    </>
  );
}
