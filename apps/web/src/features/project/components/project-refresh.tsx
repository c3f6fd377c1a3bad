import type { Project } from '@chirality/contracts';
import { CircleStop, RefreshCw } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { ProgressBar } from '../../../components/ui/progress-bar';
import { FailureText } from '../../../components/text/failure-text';
import { plural } from '../../../lib/format/count';
import { formatMinute } from '../../../lib/format/time';
import { revealHidden } from '../../../lib/text/reveal';
import { isRefreshing } from '../is-on-its-way';
import { useRefreshProject, useStopRefresh } from '../project.api';

/** Asks the remote for newer commits, and says when that was done last and what came of it. */
export function ProjectRefresh({ project, mayWrite }: { project: Project; mayWrite: boolean }) {
  const label = useId();
  const refresh = useRefreshProject(project.id);
  const stop = useStopRefresh(project.id);
  const { refresh: state, baseBranch, baseCommit } = project;
  if (state === null || project.sourceState.status !== 'ready') return null;
  const isRunning = isRefreshing(project);
  const last = state.refreshedAt === null ? 'Not refreshed yet' : `Refreshed ${formatMinute(state.refreshedAt)}`;
  return (
    <section aria-label="Remote" className="stack gap-2 pb-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p id={label} role="status" className="min-w-0 flex-1 text-sm text-muted">
          {isRunning ? 'Asking the remote for newer commits…' : last}
          {!isRunning && baseCommit !== null && (
            <>
              {' · '}
              {baseBranch !== null && `${revealHidden(baseBranch)} `}
              <code>{baseCommit.slice(0, 8)}</code>
            </>
          )}
        </p>
        {mayWrite && isRunning && (
          <Button size="small" icon={<CircleStop size={15} />} busy={stop.isPending} onClick={() => stop.mutate()}>
            Stop
          </Button>
        )}
        {mayWrite && (
          <Button
            size="small"
            icon={<RefreshCw size={15} />}
            busy={isRunning || refresh.isPending}
            onClick={() => refresh.mutate()}
          >
            Refresh
          </Button>
        )}
      </div>
      {isRunning && <ProgressBar percent={state.progress?.percent ?? null} labelledBy={label} />}
      {state.status === 'failed' && (
        <Callout
          tone="warn"
          role="status"
          title={state.error?.code === 'GIT_STOPPED' ? 'The refresh was stopped' : 'The project could not be refreshed'}
        >
          {state.error?.detail ?? 'No reason was given.'} New sessions start from the files that are here.
        </Callout>
      )}
      {state.remote !== null && (
        <p className="text-sm">
          {project.behind === null
            ? 'The remote has newer commits'
            : `The remote is ${plural(project.behind, 'commit')} ahead`}{' '}
          (<code>{state.remote.commit.slice(0, 8)}</code>, seen {formatMinute(state.remote.at)}).
        </p>
      )}
      {state.status === 'idle' && state.note !== null && <Callout>{state.note}</Callout>}
      {(refresh.error ?? stop.error) && (
        <Callout tone="bad" role="alert">
          <FailureText error={refresh.error ?? stop.error} />
        </Callout>
      )}
    </section>
  );
}
