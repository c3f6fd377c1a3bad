import { useMutation, useQueryClient } from '@tanstack/react-query';
import { GitCommitHorizontal } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { messageOf } from '../../../lib/http/api-error';
import { commitChanges } from '../api/commit-changes';

export function CommitForm({ sessionId, isRunning }: { sessionId: string; isRunning: boolean }) {
  const [message, setMessage] = useState('');
  const queries = useQueryClient();
  const commit = useMutation({
    mutationFn: commitChanges,
    onSuccess: () => {
      setMessage('');
      void queries.invalidateQueries({ queryKey: ['diff', sessionId] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    commit.mutate({ sessionId, message: message.trim() });
  };
  return (
    <form onSubmit={submit} className="stack gap-2 p-3">
      <textarea
        rows={2}
        aria-label="Commit message"
        placeholder="Commit message"
        value={message}
        onChange={(event) => setMessage(event.target.value)}
        maxLength={4000}
        className="w-full rounded-md border border-line-strong bg-surface px-3 py-2 focus-visible:border-accent focus-visible:outline-offset-0"
      />
      <div className="flex items-center gap-3">
        <Button type="submit" icon={<GitCommitHorizontal size={15} />} busy={commit.isPending} disabled={message.trim() === '' || isRunning}>
          Commit
        </Button>
        <span role="status" className="min-w-0 text-sm text-muted">
          {isRunning && 'Wait until the turn has ended.'}
          {commit.isSuccess && `Committed as ${commit.data.commit.slice(0, 10)}.`}
          {commit.isError && <span className="text-bad">{messageOf(commit.error)}</span>}
        </span>
      </div>
    </form>
  );
}
