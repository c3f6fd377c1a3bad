import { MessageSquareText, SendHorizontal } from 'lucide-react';
import { useId, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { FailureText } from '../../../components/text/failure-text';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { plural } from '../../../lib/format/count';
import { useDraft } from '../../../lib/message/use-draft';
import { useObservable } from '../../../lib/state/use-observable';
import { CommentCard } from './comment-card';
import { useSendComments } from './comments.api';
import { placeText, type Commenting } from './commenting';

const MAX_CHARACTERS = 20_000;

/** All comments that wait, of everyone, and the button that sends them as one message. */
export function CommentsBar({ commenting, isRunning }: { commenting: Commenting; isRunning: boolean }) {
  const { sessionId, myId, mayWrite, comments } = commenting;
  const titleId = useId();
  const draft = useDraft(myId, `comments.${sessionId}`);
  const message = useObservable(draft.text);
  const send = useSendComments(sessionId, (sent) => draft.used(sent));
  if (comments.length === 0)
    return send.isSuccess ? (
      <p role="status" className="border-b border-line px-3 py-2 text-sm text-muted">
        The comments were sent to Claude.
      </p>
    ) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate({ message, ids: comments.map(({ id }) => id) });
  };
  return (
    <section aria-labelledby={titleId} className="border-b border-line">
      <h2 id={titleId} className="flex items-center gap-2 bg-sunken px-3 py-2 text-sm font-medium text-muted">
        <MessageSquareText size={15} aria-hidden="true" /> {plural(comments.length, 'comment')} to send
      </h2>
      <ul className="stack max-h-96 gap-2 overflow-y-auto px-3 pt-2" tabIndex={0} aria-labelledby={titleId}>
        {comments.map((comment) => (
          <li key={comment.id}>
            <p className="truncate pb-0.5 font-mono text-xs text-muted" title={placeText(comment)}>
              <UntrustedText text={placeText(comment)} mode="prose" />
            </p>
            <CommentCard comment={comment} commenting={commenting} />
          </li>
        ))}
      </ul>
      {mayWrite && (
        <form onSubmit={submit} className="stack gap-2 p-3">
          <textarea
            rows={1}
            dir="auto"
            aria-label="Message with the comments"
            placeholder="Add a message (optional)"
            value={message}
            maxLength={MAX_CHARACTERS}
            onChange={(event) => draft.write(event.target.value)}
            className="w-full rounded-md border border-line-strong bg-surface px-3 py-2 focus-visible:border-accent focus-visible:outline-offset-0"
          />
          <div className="flex flex-wrap items-center gap-3">
            <Button
              type="submit"
              variant="primary"
              icon={<SendHorizontal size={15} />}
              busy={send.isPending}
              disabled={isRunning}
            >
              Send to Claude
            </Button>
            {isRunning && (
              <span role="status" className="text-sm text-muted">
                Wait until the turn has ended.
              </span>
            )}
          </div>
          {send.isError && (
            <Callout tone="bad" role="alert">
              <FailureText error={send.error} />
            </Callout>
          )}
        </form>
      )}
    </section>
  );
}
