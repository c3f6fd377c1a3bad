import type { PushState } from '@chirality/contracts';
import { isBranchNameSafe } from '@chirality/domain';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { FailureText } from '../../../components/text/failure-text';
import { Callout } from '../../../components/ui/callout';
import { Dialog } from '../../../components/overlay/dialog';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { TextField } from '../../../components/form/field';
import { Switch } from '../../../components/form/switch';
import { plural } from '../../../lib/format/count';
import { ApiError } from '../../../lib/http/api-error';
import { revealHidden } from '../../../lib/text/reveal';
import { diffQuery, UNCOMMITTED } from './changes.api';
import { usePush } from './remote.api';

const NAMED = 5;

type Props = { sessionId: string; target: PushState; open: boolean; onOpenChange: (open: boolean) => void };

function PushForm({ sessionId, target, onDone }: { sessionId: string; target: PushState; onDone: () => void }) {
  const [branch, setBranch] = useState(target.branch);
  const [isForced, setForced] = useState(false);
  const [message, setMessage] = useState('');
  const diff = useInfiniteQuery(diffQuery(sessionId, UNCOMMITTED, { revision: 'push', isRunning: false }));
  const push = usePush(sessionId);
  const first = diff.data?.pages[0];
  const files = first?.files ?? [];
  const uncommitted = first?.totals.files ?? 0;
  const commits = uncommitted > 0 && message.trim() !== '';
  const fault = isBranchNameSafe(branch.trim()) ? null : 'Git takes no branch of that name.';
  const isRejected = push.error instanceof ApiError && push.error.code === 'GIT_PUSH_REJECTED';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    push.mutate({
      ...(branch.trim() === target.branch ? {} : { branch: branch.trim() }),
      ...(isForced ? { force: 'with-lease' as const } : {}),
      ...(commits ? { message: message.trim() } : {}),
    });
  };
  if (push.isSuccess)
    return (
      <>
        <Callout tone="good" role="status" title={`Pushed to ${revealHidden(push.data.branch)}`}>
          The remote has <code>{push.data.commit.slice(0, 10)}</code>.
          {push.data.createUrl !== undefined && (
            <a
              className="link mt-1 flex items-center gap-1.5"
              href={push.data.createUrl}
              target="_blank"
              rel="noreferrer noopener"
            >
              Open a pull request at the remote <ExternalLink size={14} aria-hidden="true" />
            </a>
          )}
        </Callout>
      </>
    );
  return (
    <Form className="stack gap-4" hasFailed={push.isError} isChanged={false} onSubmit={submit}>
      <TextField
        label="Branch"
        value={branch}
        maxLength={200}
        error={fault}
        hint={
          target.last === null
            ? 'A number is added if the remote has a branch of this name.'
            : 'The branch that this session pushed to before.'
        }
        onChange={(event) => setBranch(event.target.value)}
      />
      {uncommitted > 0 && (
        <div className="stack gap-3">
          <Callout tone="warn" title={`${plural(uncommitted, 'uncommitted file')} will not be pushed`}>
            {files.slice(0, NAMED).map(({ path }) => (
              <code key={path} className="block">
                {revealHidden(path)}
              </code>
            ))}
            {uncommitted > NAMED && `and ${(uncommitted - NAMED).toLocaleString('en-US')} more`}
          </Callout>
          <TextField
            label="Commit message"
            value={message}
            maxLength={4000}
            hint="With a message they are committed first, in your name."
            onChange={(event) => setMessage(event.target.value)}
          />
        </div>
      )}
      {isRejected && target.last !== null && (
        <Switch
          label="Replace what this session pushed"
          hint="Only if no one else has pushed to the branch since (force with lease)."
          checked={isForced}
          onChange={setForced}
        />
      )}
      {push.isError && (
        <Callout tone="bad" role="alert">
          <FailureText error={push.error} />
        </Callout>
      )}
      <FormEnd
        submit={commits ? 'Commit and push' : 'Push'}
        outcome={{ error: null, isPending: push.isPending }}
        onCancel={onDone}
      />
    </Form>
  );
}

/** Pushes the session's commits: names the branch and what would stay behind, and says what the remote has then. */
export function PushDialog({ sessionId, target, open, onOpenChange }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Push"
      description={
        <>
          To <span className="wrap-anywhere">{revealHidden(target.remote ?? '')}</span>, with your git account
        </>
      }
    >
      <PushForm sessionId={sessionId} target={target} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
