import { useQuery } from '@tanstack/react-query';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatAgo, formatFull } from '../../../lib/format/time';
import { useNow } from '../../../lib/use-now';
import { projectAuditQuery } from '../api/list-audit';
import { auditSentence } from '../audit-sentence';

/** Who changed what in a project, latest first. */
export function AuditList({ teamId, projectId }: { teamId: string; projectId: string }) {
  const audit = useQuery(projectAuditQuery(teamId, projectId));
  const now = useNow();
  return (
    <QueryGate query={audit} pending={<SkeletonRows count={3} className="h-6 rounded-md" />}>
      {(entries) => (
        <ul className="stack gap-1 text-sm">
          {entries.map((entry) => (
            <li key={entry.id} className="flex items-baseline gap-3">
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="font-medium">{entry.userName ?? 'The service'}</span> {auditSentence(entry)}
              </span>
              <time dateTime={entry.at} title={formatFull(entry.at)} className="shrink-0 text-xs text-faint tabular-nums">
                {formatAgo(entry.at, now)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </QueryGate>
  );
}
