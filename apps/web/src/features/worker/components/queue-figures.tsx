import type { QueueState } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { QueryGate } from '../../../components/ui/query-gate';
import { formatElapsed } from '../../../lib/format/duration';
import { formatTime } from '../../../lib/format/time';
import { NameText } from '../../../components/text/untrusted-text';
import { queueQuery } from '../worker.api';

function Figure({ name, value, hint }: { name: string; value: string; hint?: string | undefined }) {
  return (
    <div className="rounded-lg border border-line bg-surface px-4 py-3 shadow-card">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-xl font-semibold tabular-nums">
        {value} {hint !== undefined && <span className="text-sm font-normal text-faint">{hint}</span>}
      </dd>
    </div>
  );
}

function UsedWorkspaces({ workspaces }: Pick<QueueState, 'workspaces'>) {
  return (
    <section aria-labelledby="used-workspaces" className="mt-4">
      <h3 id="used-workspaces" className="pb-1 text-sm font-medium">
        Shared files in use
      </h3>
      <ul className="stack gap-1 text-sm text-muted">
        {workspaces.map(({ id, branch, use: { session, by, since } }) => (
          <li key={id}>
            {branch === null ? 'A shared workspace' : <NameText text={branch} className="font-mono" />}
            {session !== null && by !== null && since !== null ? (
              <>
                : <NameText text={by.name} /> in{' '}
                <Link
                  to="/sessions/$sessionId"
                  params={{ sessionId: session.id }}
                  className="rounded-sm underline underline-offset-2"
                >
                  <NameText text={session.title} />
                </Link>{' '}
                since {formatTime(since)}
              </>
            ) : (
              ': a session that you do not see'
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function QueueFigures() {
  const queue = useQuery(queueQuery);
  return (
    <QueryGate query={queue} pending={<SkeletonRows count={1} className="h-17 rounded-lg" />}>
      {({ queued, running, waiting, oldestQueuedMs, workspaces }) => (
        <>
          <dl className="stack gap-2 phone:grid-cols-3">
            <Figure name="Running" value={String(running)} />
            <Figure name="Waiting for a person" value={String(waiting)} />
            <Figure
              name="Queued"
              value={String(queued)}
              hint={oldestQueuedMs === null ? undefined : `oldest ${formatElapsed(oldestQueuedMs)}`}
            />
          </dl>
          {workspaces.length > 0 && <UsedWorkspaces workspaces={workspaces} />}
        </>
      )}
    </QueryGate>
  );
}
