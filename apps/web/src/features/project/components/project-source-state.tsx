import type { Project, SourceProgress } from '@chirality/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { CircleStop, RefreshCw } from 'lucide-react';
import { useEffect, useId } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { ProgressBar } from '../../../components/ui/progress-bar';
import { formatBytes, formatCount } from '../../../lib/format/count';
import { revealHidden } from '../../../lib/text/reveal';
import { projectsChanged, useFetchAgain, useStopFetch } from '../project.api';
import { isOnItsWay } from '../is-on-its-way';
import { AddGitAccountLink } from './git-source-fields';
import { ProjectUpload } from './project-upload';
import { FailureText } from '../../../components/text/failure-text';

const PHASES: Record<SourceProgress['phase'], string> = {
  connecting: 'Asking the server for the repository',
  receiving: 'Receiving its history',
  unpacking: 'Unpacking the archive',
  checking: 'Checking every object',
  storing: 'Storing it',
};

/** What is happening, in words: of it a screen reader hears each new phase, not each percent. */
function FetchProgress({ project, mayWrite }: { project: Project; mayWrite: boolean }) {
  const label = useId();
  const stop = useStopFetch(project.id);
  const { progress } = project.sourceState;
  const submodule = progress?.submodule;
  return (
    <section
      aria-labelledby={label}
      className="grid gap-2.5 rounded-lg border border-line bg-surface px-4 py-3.5 shadow-card"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p id={label} role="status" className="font-medium wrap-anywhere">
          {progress === null && 'Waiting for a worker'}
          {progress !== null &&
            (submodule === undefined ? PHASES[progress.phase] : `Fetching the submodule ${revealHidden(submodule)}`)}
        </p>
        <p className="text-sm text-muted tabular-nums">
          {progress?.percent != null && `${progress.percent} %`}
          {progress?.objects != null &&
            ` · ${formatCount(progress.objects.done)} of ${formatCount(progress.objects.total)} objects`}
          {progress?.bytes != null && ` · ${formatBytes(progress.bytes)}`}
        </p>
      </div>
      <ProgressBar percent={progress?.percent ?? null} labelledBy={label} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-sm text-muted">You can leave this page. Sessions can be started when it is done.</p>
        {mayWrite && (
          <Button size="small" icon={<CircleStop size={15} />} busy={stop.isPending} onClick={() => stop.mutate()}>
            Stop
          </Button>
        )}
      </div>
      {stop.error && (
        <Callout tone="bad" role="alert">
          <FailureText error={stop.error} />
        </Callout>
      )}
    </section>
  );
}

/** Of an archive the reason says that it cannot be used. */
function titleOf({ source, sourceState }: Project): string | undefined {
  if (sourceState.error?.code === 'SOURCE_STOPPED')
    return source.kind === 'upload' ? 'Unpacking was stopped' : 'Fetching was stopped';
  if (source.kind !== 'upload') return 'The repository could not be fetched';
  return sourceState.error?.detail.startsWith('The archive') ? undefined : 'The archive could not be used';
}

/** How far a project's files are, until they are here. */
export function ProjectSourceState({ project, mayWrite }: { project: Project; mayWrite: boolean }) {
  const queries = useQueryClient();
  const again = useFetchAgain(project.id);
  const { status, error } = project.sourceState;
  useEffect(() => {
    // The list was read while it said something else.
    void projectsChanged(queries);
  }, [queries, status]);
  if (status === 'ready') return null;
  if (isOnItsWay(project)) return <FetchProgress project={project} mayWrite={mayWrite} />;
  const takesUpload = project.source.kind === 'upload' && mayWrite;
  if (status === 'awaiting_upload')
    return takesUpload ? (
      <ProjectUpload project={project} />
    ) : (
      <Callout>Nothing has been uploaded for this project yet.</Callout>
    );
  const failure = (
    <Callout
      tone={error?.code === 'SOURCE_STOPPED' ? 'warn' : 'bad'}
      role="alert"
      title={titleOf(project)}
      actions={
        mayWrite && (
          <Button icon={<RefreshCw size={15} />} busy={again.isPending} onClick={() => again.mutate()}>
            Try again
          </Button>
        )
      }
    >
      {error?.detail ?? 'No reason was given.'}
      {error?.code === 'GIT_AUTH_FAILED' && mayWrite && (
        <p className="pt-1">
          <AddGitAccountLink />
        </p>
      )}
      {again.error && (
        <p className="pt-1">
          <FailureText error={again.error} />
        </p>
      )}
    </Callout>
  );
  return takesUpload ? (
    <div className="stack gap-3">
      {failure}
      <ProjectUpload project={project} />
    </div>
  ) : (
    failure
  );
}
