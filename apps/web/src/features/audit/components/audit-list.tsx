import type { Project } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { projectAuditQuery } from '../audit.api';
import type { Places } from '../audit-subject';
import { AuditRows } from './audit-rows';

/** Who changed what in a project, latest first. */
export function AuditList({ project, sessions }: { project: Project; sessions: Places['sessions'] }) {
  const audit = useQuery(projectAuditQuery(project.teamId, project.id));
  return (
    <QueryGate query={audit} pending={<SkeletonRows count={3} className="h-6 rounded-md" />}>
      {(entries) => <AuditRows entries={entries} places={{ projects: [project], sessions }} />}
    </QueryGate>
  );
}
