import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { Section } from '../../../components/ui/page';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { isAdmin, useTeams } from '../../access/hooks/use-team';
import { serviceAccountsQuery } from '../service-account.api';
import type { TokenProject } from './create-token-dialog';
import { CreateServiceAccountDialog } from './service-account-dialog';
import { ServiceAccountRow } from './service-account-row';

/** For those who manage a team, or answer for an account of one. */
export function ServiceAccountsSection({ projects }: { projects: readonly TokenProject[] }) {
  const accounts = useQuery(serviceAccountsQuery);
  const teams = useTeams();
  const managed = teams.filter(({ role }) => isAdmin(role));
  const [isCreating, setCreating] = useState(false);
  if (managed.length === 0 && (accounts.data ?? []).length === 0) return null;
  return (
    <Section
      title="Service accounts"
      description="Members of a team for CI and automation. They have no password, act by tokens alone, and are billed in their own name."
      actions={
        managed.length > 0 && (
          <Button size="small" icon={<Plus size={15} />} onClick={() => setCreating(true)}>
            Create service account
          </Button>
        )
      }
    >
      <QueryGate query={accounts} pending={<SkeletonRows count={1} className="h-14 rounded-lg" />}>
        {(data) =>
          data.length === 0 ? (
            <p className="rounded-lg border border-dashed border-line-strong px-4 py-5 text-sm text-muted">
              No service accounts yet. Create one for programs that outlast the people who set them up.
            </p>
          ) : (
            <ul
              aria-label="Service accounts"
              className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card"
            >
              {data.map((account) => (
                <ServiceAccountRow
                  key={account.id}
                  account={account}
                  team={teams.length > 1 ? (teams.find(({ id }) => id === account.teamId)?.name ?? null) : null}
                  mayManage={managed.some(({ id }) => id === account.teamId)}
                  projects={projects}
                />
              ))}
            </ul>
          )
        }
      </QueryGate>
      <CreateServiceAccountDialog teams={managed} open={isCreating} onOpenChange={setCreating} />
    </Section>
  );
}
