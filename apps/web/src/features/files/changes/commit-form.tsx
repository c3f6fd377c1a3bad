import { GitCommitHorizontal } from 'lucide-react';
import type { FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { FailureText } from '../../../components/text/failure-text';
import { messageOf } from '../../../lib/http/api-error';
import { useNotices } from '../../../lib/notices/notices-service';
import { useIsShown } from '../../../lib/page/use-is-shown';
import { useObservable } from '../../../lib/state/use-observable';
import { useUser } from '../../access/hooks/use-user';
import { useDraft } from '../../../lib/message/use-draft';
import { useCommitChanges } from './changes.api';

type Props = {
  sessionId: string;
  sessionTitle: string;
  isRunning: boolean;
  total: number;
  /** Null for everything, listed or not. */
  chosen: string[] | null;
  chosenCount: number;
};

function labelOf(chosenCount: number, total: number): string {
  if (chosenCount === total) return total === 1 ? 'Commit 1 file' : `Commit all ${total.toLocaleString('en-US')} files`;
  return `Commit ${chosenCount.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} files`;
}

export function CommitForm({ sessionId, sessionTitle, isRunning, total, chosen, chosenCount }: Props) {
  const notices = useNotices();
  const me = useUser();
  const draft = useDraft(me.id, `commit.${sessionId}`);
  const message = useObservable(draft.text);
  const isShown = useIsShown();
  const commit = useCommitChanges(sessionId, {
    onCommitted: (order) => draft.used(order.message),
    onRefused: (error, { message: words }) => {
      // On another page the form's own sentence would be missed.
      if (!isShown())
        notices.add({
          id: `commit/${sessionId}`,
          sessionId,
          sessionTitle,
          tone: 'bad',
          text: `The changes were not committed. ${messageOf(error)}`,
          words,
        });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    commit.mutate({ message: message.trim(), ...(chosen === null ? {} : { paths: chosen }) });
  };
  return (
    <form onSubmit={submit} className="stack gap-2 border-b border-line p-3">
      <textarea
        rows={2}
        aria-label="Commit message"
        placeholder="Commit message"
        value={message}
        dir="auto"
        onChange={(event) => draft.write(event.target.value)}
        maxLength={4000}
        className="w-full rounded-md border border-line-strong bg-surface px-3 py-2 focus-visible:border-accent focus-visible:outline-offset-0"
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          icon={<GitCommitHorizontal size={15} />}
          busy={commit.isPending}
          disabled={message.trim() === '' || isRunning || chosenCount === 0}
        >
          {labelOf(chosenCount, total)}
        </Button>
        <span role="status" className="min-w-0 text-sm text-muted">
          {isRunning && 'Wait until the turn has ended.'}
          {commit.isPending && 'Committing… Many files can take a few minutes.'}
          {commit.isSuccess && `Committed as ${commit.data.commit.slice(0, 10)}.`}
          {commit.isError && (
            <span className="text-bad">
              <FailureText error={commit.error} />
            </span>
          )}
        </span>
      </div>
    </form>
  );
}
