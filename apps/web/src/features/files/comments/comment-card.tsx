import type { DiffComment } from '@chirality/contracts';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { FailureText } from '../../../components/text/failure-text';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { Avatar } from '../../../components/ui/avatar';
import { Badge } from '../../../components/ui/badge';
import { IconButton } from '../../../components/ui/icon-button';
import { useDraft } from '../../../lib/message/use-draft';
import { CommentFields } from './comment-form';
import { useChangeComment, useRemoveComment } from './comments.api';
import { placeText, type Commenting } from './commenting';

type Props = { comment: DiffComment; commenting: Commenting };

/** A comment that is not sent yet; its author changes and deletes it. */
export function CommentCard({ comment, commenting: { sessionId, myId, mayWrite } }: Props) {
  const [isEdited, setEdited] = useState(false);
  const remove = useRemoveComment(sessionId);
  const { author, body, outdated } = comment;
  const isMine = author.userId === myId && mayWrite;
  return (
    <article
      aria-label={`Comment of ${author.name} on ${placeText(comment)}`}
      className="max-w-2xl rounded-lg border border-line bg-surface px-3 py-2 font-sans text-base whitespace-normal"
    >
      <header className="flex items-center gap-2">
        <Avatar id={author.userId} name={author.name} size={18} />
        <span className="truncate text-sm font-semibold">
          <UntrustedText text={author.name} mode="prose" />
        </span>
        {outdated === true && <Badge tone="warn">Outdated</Badge>}
        <span className="ms-auto flex">
          {isMine && !isEdited && (
            <>
              <IconButton label="Edit this comment" onClick={() => setEdited(true)}>
                <Pencil size={14} />
              </IconButton>
              <IconButton
                label="Delete this comment"
                disabled={remove.isPending}
                onClick={() => remove.mutate(comment.id)}
              >
                <Trash2 size={14} />
              </IconButton>
            </>
          )}
        </span>
      </header>
      {isEdited ? (
        <EditedComment sessionId={sessionId} myId={myId} comment={comment} onDone={() => setEdited(false)} />
      ) : (
        <p dir="auto" className="text-sm whitespace-pre-wrap wrap-anywhere">
          <UntrustedText text={body} mode="prose" />
        </p>
      )}
      {outdated === true && !isEdited && (
        <p className="pt-1 text-xs text-muted">
          The code has changed since. Claude sees the code as it was commented on.
        </p>
      )}
      {remove.isError && (
        <p role="alert" className="pt-1 text-sm text-bad">
          <FailureText error={remove.error} />
        </p>
      )}
    </article>
  );
}

type EditedProps = { sessionId: string; myId: string; comment: DiffComment; onDone: () => void };

function EditedComment({ sessionId, myId, comment, onDone }: EditedProps) {
  const draft = useDraft(myId, `comment.${comment.id}`);
  const [isBegun, setBegun] = useState(false);
  if (!isBegun) {
    if (draft.text.get() === '') draft.write(comment.body);
    setBegun(true);
  }
  const change = useChangeComment(sessionId, () => {
    draft.sent();
    onDone();
  });
  return (
    <CommentFields
      draft={draft}
      label={`Comment on ${placeText(comment)}`}
      submitLabel="Save"
      isBusy={change.isPending}
      error={change.error}
      onSubmit={(body) => change.mutate({ id: comment.id, body })}
      onCancel={() => {
        draft.sent();
        onDone();
      }}
    />
  );
}
