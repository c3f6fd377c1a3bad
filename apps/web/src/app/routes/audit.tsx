import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { Button } from '../../components/ui/button';
import { EmptyState } from '../../components/ui/empty-state';
import { Page } from '../../components/ui/page';
import { QueryGate } from '../../components/ui/query-gate';
import { SkeletonRows } from '../../components/ui/skeleton';
import { teamAuditQuery } from '../../features/audit/audit.api';
import { auditFilterOf } from '../../features/audit/audit-search';
import { AuditExport } from '../../features/audit/components/audit-export';
import { AuditFilters } from '../../features/audit/components/audit-filters';
import { AuditRows } from '../../features/audit/components/audit-rows';
import { projectsQuery } from '../../features/project/project.api';
import { recentSessionsQuery } from '../../features/session/session.api';
import { membersQuery } from '../../features/access/access.api';
import { isAdmin, useTeam } from '../../features/access/hooks/use-team';
import { useTitle } from '../../lib/page/use-title';

export default function AuditPage() {
  useTitle('Audit log');
  const team = useTeam();
  const search = useSearch({ from: '/signed-in/team/audit' });
  const navigate = useNavigate();
  const mayRead = isAdmin(team?.role);
  const teamId = team?.id ?? '';
  const filter = auditFilterOf(teamId, search);
  const audit = useInfiniteQuery({ ...teamAuditQuery(filter), enabled: mayRead });
  // The sidebar has both already.
  const projects = useQuery(projectsQuery).data ?? [];
  const sessions = useQuery(recentSessionsQuery).data ?? [];
  const members = useQuery({ ...membersQuery(teamId), enabled: team !== null });
  if (team !== null && !mayRead) {
    return (
      <Page title="Audit log">
        <EmptyState icon={<ScrollText size={22} />} title="Only owners and admins can read the audit log">
          Ask an admin of the team.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title="Audit log"
      description={team === null ? undefined : `Who did what in ${team.name}.`}
      actions={team !== null && <AuditExport filter={filter} />}
    >
      <AuditFilters
        value={search}
        people={members.data ?? []}
        onChange={(next) => void navigate({ to: '/team/audit', search: next, replace: true })}
      />
      <QueryGate query={audit} pending={<SkeletonRows count={8} className="h-6 rounded-md" />}>
        {({ pages }) => {
          const entries = pages.flatMap(({ data }) => data);
          return entries.length === 0 ? (
            <EmptyState icon={<ScrollText size={22} />} title="No results">
              Nothing matches these filters.
            </EmptyState>
          ) : (
            <AuditRows entries={entries} places={{ projects, sessions }} />
          );
        }}
      </QueryGate>
      {audit.hasNextPage && (
        <div className="flex justify-center pt-5">
          <Button busy={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Page>
  );
}
