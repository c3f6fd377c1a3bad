import { useQuery } from '@tanstack/react-query';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { QueryGate } from '../../../components/ui/query-gate';
import { formatElapsed } from '../../../lib/format/duration';
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

export function QueueFigures() {
  const queue = useQuery(queueQuery);
  return (
    <QueryGate query={queue} pending={<SkeletonRows count={1} className="h-17 rounded-lg" />}>
      {({ queued, running, waiting, oldestQueuedMs }) => (
        <dl className="stack gap-2 phone:grid-cols-3">
          <Figure name="Running" value={String(running)} />
          <Figure name="Waiting for a person" value={String(waiting)} />
          <Figure
            name="Queued"
            value={String(queued)}
            hint={oldestQueuedMs === null ? undefined : `oldest ${formatElapsed(oldestQueuedMs)}`}
          />
        </dl>
      )}
    </QueryGate>
  );
}
