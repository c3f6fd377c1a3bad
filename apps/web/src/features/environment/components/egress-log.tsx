import type { EgressDecision, EgressLogEntry } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { Badge, type Tone } from '../../../components/ui/badge';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatCount } from '../../../lib/format/count';
import { formatAgo } from '../../../lib/format/time';
import { useMinute } from '../../../lib/state/use-now';
import { egressLogQuery } from '../environment.api';

const DECISIONS: Record<EgressDecision, { tone: Tone; name: string }> = {
  allowed: { tone: 'good', name: 'Allowed' },
  not_listed: { tone: 'bad', name: 'Denied' },
  inward_address: { tone: 'bad', name: 'Private address' },
  unresolved: { tone: 'warn', name: 'Not found' },
  unreachable: { tone: 'warn', name: 'Not reached' },
  not_passed_on: { tone: 'bad', name: 'Kept from the model’s service' },
};

function LogRow({ entry }: { entry: EgressLogEntry }) {
  const now = useMinute();
  const decision = DECISIONS[entry.decision];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <span className="min-w-0 flex-1 truncate font-mono text-sm">
        {entry.host}
        {entry.port !== 0 && <span className="text-faint">:{entry.port}</span>}
      </span>
      <Badge tone={decision.tone}>{decision.name}</Badge>
      <span className="w-full text-sm text-muted tabular-nums phone:w-64 phone:text-end">
        {entry.user.name} · {formatCount(entry.count)} × · {formatAgo(entry.lastAt, now)}
      </span>
    </li>
  );
}

/** What the project's turns reached, or tried to, in the last thirty days. */
export function EgressLog({ projectId }: { projectId: string }) {
  const log = useQuery(egressLogQuery(projectId));
  return (
    <QueryGate query={log} pending={<SkeletonRows count={2} className="h-11 rounded-lg" />}>
      {(data) =>
        data.length === 0 ? (
          <p className="rounded-lg border border-dashed border-line-strong px-4 py-6 text-center text-muted">
            No network access yet. Attempts appear here within seconds.
          </p>
        ) : (
          <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
            {data.map((entry) => (
              <LogRow key={`${entry.user.userId} ${entry.host}:${entry.port} ${entry.decision}`} entry={entry} />
            ))}
          </ul>
        )
      }
    </QueryGate>
  );
}
