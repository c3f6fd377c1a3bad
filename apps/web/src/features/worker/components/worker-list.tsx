import type { Worker } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { ServerOff } from 'lucide-react';
import { Badge, type Tone } from '../../../components/ui/badge';
import { EmptyState } from '../../../components/ui/empty-state';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatAgo } from '../../../lib/format/time';
import { useMinute } from '../../../lib/state/use-now';
import { workersQuery } from '../worker.api';

const STATUS: Record<Worker['status'], { tone: Tone; name: string }> = {
  ready: { tone: 'good', name: 'Ready' },
  draining: { tone: 'warn', name: 'Stopping' },
  sandbox_unavailable: { tone: 'bad', name: 'No sandbox' },
  gone: { tone: 'neutral', name: 'Gone' },
};

function WorkerRow({ worker }: { worker: Worker }) {
  const now = useMinute();
  const status = STATUS[worker.status];
  const isOther = worker.claudeVersion !== null && worker.claudeVersion !== worker.testedVersion;
  return (
    <li className="stack gap-1 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <code className="min-w-0 truncate font-mono text-sm">{worker.id}</code>
        <Badge tone={status.tone}>{status.name}</Badge>
        <span className="ms-auto text-sm text-muted tabular-nums">
          {worker.running} of {worker.slots} slots in use
        </span>
      </div>
      <p className="text-sm text-muted">
        Claude Code {worker.claudeVersion ?? 'not found'} · sandbox {worker.sandbox} · since{' '}
        {formatAgo(worker.startedAt, now)}
      </p>
      {isOther && (
        <p className="text-sm text-warn">
          This version of Claude Code was not tested with Chirality; {worker.testedVersion} was.
        </p>
      )}
      {worker.sandboxDetail !== null && worker.sandboxDetail !== '' && (
        <p className="text-sm text-bad">{worker.sandboxDetail}</p>
      )}
    </li>
  );
}

export function WorkerList() {
  const workers = useQuery(workersQuery);
  return (
    <QueryGate query={workers} pending={<SkeletonRows count={1} className="h-17 rounded-lg" />}>
      {(data) =>
        data.length === 0 ? (
          <EmptyState icon={<ServerOff size={22} />} title="No worker is running">
            Turns wait in the queue until one is started.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
            {data.map((worker) => (
              <WorkerRow key={worker.id} worker={worker} />
            ))}
          </ul>
        )
      }
    </QueryGate>
  );
}
