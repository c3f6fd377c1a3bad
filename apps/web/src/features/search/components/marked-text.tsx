import type { SearchHit } from '@chirality/contracts';
import { UntrustedText } from '../../../components/text/untrusted-text';

/** The text of a hit, with what was searched for marked. */
export function MarkedText({ snippet, marks }: Pick<SearchHit, 'snippet' | 'marks'>) {
  const parts = marks.map(({ start, end }, at) => (
    <span key={start}>
      <UntrustedText text={snippet.slice(marks[at - 1]?.end ?? 0, start)} mode="prose" />
      <mark className="rounded-xs bg-warn-soft text-text">
        <UntrustedText text={snippet.slice(start, end)} mode="prose" />
      </mark>
    </span>
  ));
  return (
    <>
      {parts}
      <UntrustedText text={snippet.slice(marks.at(-1)?.end ?? 0)} mode="prose" />
    </>
  );
}
