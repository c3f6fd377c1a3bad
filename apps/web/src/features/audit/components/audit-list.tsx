import { useQuery } from '@tanstack/react-query';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { projectAuditQuery } from '../audit.api';
import { AuditRows } from './audit-rows';

/** Who changed what in a project, latest first. */
export function AuditList({ teamId, projectId }: { teamId: string; projectId: string }) {
  const audit = useQuery(projectAuditQuery(teamId, projectId));
  return (
    <QueryGate query={audit} pending={<SkeletonRows count={3} className="h-6 rounded-md" />}>
      {(entries) => <AuditRows entries={entries} />}
    </QueryGate>
  );
}
