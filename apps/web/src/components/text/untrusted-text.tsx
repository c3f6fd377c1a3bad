import { Fragment } from 'react';
import { revealHidden, revealInProse, revealedPieces, type RevealMode } from '../../lib/text/reveal';

/**
 * Beyond this many marks in one text they are written as plain text: no reader needs that many, and each is an
 * element.
 */
const MAX_MARKS = 500;

type Props = { text: string; mode?: RevealMode };

/**
 * Text that the product did not write: from a project, a model, a tool or a person. Characters that hide, overwrite or
 * turn the reading direction stand as marks, and its own direction does not reach its neighbours.
 */
export function UntrustedText({ text, mode = 'decision' }: Props) {
  const pieces = revealedPieces(text, mode);
  // Commands and paths are read from the left, whatever their first letter is.
  const dir = mode === 'decision' ? 'ltr' : 'auto';
  if (pieces.length === 1 && 'text' in pieces[0]!) return <bdi dir={dir}>{pieces[0].text}</bdi>;
  if (pieces.length > MAX_MARKS * 2)
    return <bdi dir={dir}>{mode === 'prose' ? revealInProse(text) : revealHidden(text)}</bdi>;
  return (
    <bdi dir={dir}>
      {pieces.map((piece, at) =>
        'text' in piece ? (
          <Fragment key={at}>{piece.text}</Fragment>
        ) : (
          <span key={at} title={piece.name} className="rounded-[3px] bg-warn-soft px-px text-warn">
            {piece.mark}
          </span>
        ),
      )}
    </bdi>
  );
}

/** A name that a user gave, in one line: the whole of it is shown on hover. */
export function NameText({ text, className }: { text: string; className?: string }) {
  return (
    <span title={revealInProse(text)} className={className}>
      <UntrustedText text={text} mode="prose" />
    </span>
  );
}
