import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { FailureText } from '../../../components/text/failure-text';
import type { Draft } from '../../../lib/message/draft';
import { useDraft } from '../../../lib/message/use-draft';
import { useObservable } from '../../../lib/state/use-observable';
import { useAddComment } from './comments.api';
import { placeText, type Commenting, type Place } from './commenting';

const MAX_CHARACTERS = 4_000;

type FieldsProps = {
  draft: Draft;
  label: string;
  submitLabel: string;
  isBusy: boolean;
  error: unknown;
  onSubmit: (body: string) => void;
  onCancel: () => void;
  ends?: { chosen: number; possible: number[]; choose: (line: number) => void };
};

/** The words of a comment. Ctrl or Cmd with Enter saves them, Escape leaves them as a draft. */
export function CommentFields({ draft, label, submitLabel, isBusy, error, onSubmit, onCancel, ends }: FieldsProps) {
  const text = useObservable(draft.text);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const field = area.current;
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);
  const body = text.trim();
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (body !== '' && !isBusy) onSubmit(body);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    onCancel();
  };
  return (
    <form onSubmit={submit} className="stack gap-2 font-sans whitespace-normal">
      <textarea
        ref={area}
        rows={3}
        dir="auto"
        aria-label={label}
        placeholder="What should Claude change here?"
        value={text}
        maxLength={MAX_CHARACTERS}
        onChange={(event) => draft.write(event.target.value)}
        onKeyDown={onKeyDown}
        className="w-full rounded-md border border-line-strong bg-surface px-3 py-2 text-base focus-visible:border-accent focus-visible:outline-offset-0"
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" size="small" variant="primary" busy={isBusy} disabled={body === ''}>
          {submitLabel}
        </Button>
        <Button size="small" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        {ends !== undefined && ends.possible.length > 1 && (
          <label className="flex items-center gap-1.5 text-sm text-muted">
            through line
            <select
              value={ends.chosen}
              onChange={({ target }) => ends.choose(Number(target.value))}
              className="h-7 rounded-md border border-line-strong bg-surface px-1.5 text-sm"
            >
              {ends.possible.map((line) => (
                <option key={line} value={line}>
                  {line}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {error !== null && (
        <p role="alert" className="text-sm text-bad">
          <FailureText error={error} />
        </p>
      )}
    </form>
  );
}

type Props = { commenting: Commenting; place: Place; possible: number[] };

/** A new comment. What was written stays a draft of this place until it is added. */
export function NewComment({ commenting: { sessionId, myId, setOpen }, place, possible }: Props) {
  const { path, side, line, endLine = line, commit } = place;
  const draft = useDraft(myId, `comment.${sessionId}.${JSON.stringify([path, side, line, commit ?? ''])}`);
  // The keyboard goes back to the line where it came from.
  const [from] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (from instanceof HTMLElement && from.isConnected) from.focus();
    },
    [from],
  );
  const add = useAddComment(sessionId, ({ body }) => {
    draft.used(body);
    setOpen(null);
  });
  return (
    <div className="m-2 max-w-2xl rounded-lg border border-line-strong bg-surface p-3">
      <CommentFields
        draft={draft}
        label={`Comment on ${placeText(place)}`}
        submitLabel="Add comment"
        isBusy={add.isPending}
        error={add.error}
        onSubmit={(body) => add.mutate({ ...place, body })}
        onCancel={() => setOpen(null)}
        ends={{
          chosen: endLine,
          possible,
          choose: (chosen) => setOpen({ path, side, line, commit, ...(chosen > line ? { endLine: chosen } : {}) }),
        }}
      />
    </div>
  );
}
