import type { SessionBase } from '@chirality/contracts';
import { conflictMessage } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { ArrowUpFromLine, GitMerge, MessageSquarePlus, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { FailureText } from '../../../components/text/failure-text';
import { plural } from '../../../lib/format/count';
import { revealHidden } from '../../../lib/text/reveal';
import { PushDialog } from './push-dialog';
import { baseQuery, pushStateQuery, useChangeBase } from './remote.api';

type Props = {
  sessionId: string;
  revision: string;
  mayWrite: boolean;
  isRunning: boolean;
  /** Puts a message into the composer, for the person to send. */
  onWrite: (message: string) => void;
};

/** What a merge left for someone to resolve: its files, a message about them, and the way back. */
function Conflicts({
  base,
  onWrite,
  undo,
}: {
  base: SessionBase;
  onWrite: ((message: string) => void) | null;
  undo: { isPending: boolean; isDisabled: boolean; run: () => void } | null;
}) {
  const { conflicts } = base;
  return (
    <Callout
      tone="warn"
      role="status"
      className="m-3"
      title={
        conflicts.length === 0 ? 'The merge waits to be committed' : `Conflicts in ${plural(conflicts.length, 'file')}`
      }
      actions={
        <>
          {onWrite !== null && conflicts.length > 0 && (
            <Button size="small" icon={<MessageSquarePlus size={15} />} onClick={() => onWrite(conflictMessage(base))}>
              Ask Claude to resolve them
            </Button>
          )}
          {undo !== null && (
            <Button
              size="small"
              icon={<Undo2 size={15} />}
              busy={undo.isPending}
              disabled={undo.isDisabled}
              onClick={undo.run}
            >
              Undo the merge
            </Button>
          )}
        </>
      }
    >
      <ul aria-label="Files with conflicts">
        {conflicts.map((path) => (
          <li key={path}>
            <code>{revealHidden(path)}</code>
          </li>
        ))}
      </ul>
    </Callout>
  );
}

/** How the session stands to its project's newest commit, and the push of what it made. */
export function SessionRemote({ sessionId, revision, mayWrite, isRunning, onWrite }: Props) {
  const base = useQuery(baseQuery(sessionId, revision)).data;
  const target = useQuery(pushStateQuery(sessionId)).data;
  const change = useChangeBase(sessionId);
  const [isPushing, setPushing] = useState(false);
  const hasRemote = target !== undefined && target.remote !== null;
  if (base === undefined || (!hasRemote && base.behind === 0 && !base.isMerging)) return null;
  const undo = mayWrite
    ? {
        isPending: change.isPending && change.variables === 'abort',
        isDisabled: isRunning,
        run: () => change.mutate('abort'),
      }
    : null;
  return (
    <section aria-label="Remote" className="border-b border-line">
      <div className="flex flex-wrap items-center gap-2 px-3 py-2">
        <p role="status" className="min-w-0 flex-1 text-sm text-muted">
          {base.behind === 0
            ? `Up to date with ${revealHidden(base.branch)}`
            : `${plural(base.behind, 'commit')} behind ${revealHidden(base.branch)}`}
          {change.data?.outcome === 'merged' && ' · brought in'}
        </p>
        {mayWrite && base.behind > 0 && !base.isMerging && (
          <Button
            size="small"
            icon={<GitMerge size={15} />}
            busy={change.isPending && change.variables === 'merge'}
            disabled={isRunning}
            onClick={() => change.mutate('merge')}
          >
            Bring in the base
          </Button>
        )}
        {undo !== null && base.mayUndo && !base.isMerging && (
          <Button size="small" icon={<Undo2 size={15} />} busy={undo.isPending} disabled={isRunning} onClick={undo.run}>
            Undo the merge
          </Button>
        )}
        {mayWrite && hasRemote && (
          <Button
            size="small"
            icon={<ArrowUpFromLine size={15} />}
            disabled={isRunning}
            onClick={() => setPushing(true)}
          >
            Push…
          </Button>
        )}
      </div>
      {change.isError && (
        <Callout tone="bad" role="alert" className="m-3 mt-0">
          <FailureText error={change.error} />
        </Callout>
      )}
      {base.isMerging && <Conflicts base={base} onWrite={mayWrite ? onWrite : null} undo={undo} />}
      {target !== undefined && (
        <PushDialog sessionId={sessionId} target={target} open={isPushing} onOpenChange={setPushing} />
      )}
    </section>
  );
}
