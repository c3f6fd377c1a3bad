import type { GitAccount, Team } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { Section } from '../../../components/ui/page';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { isAdmin, useMayWrite, useTeam } from '../../access/hooks/use-team';
import { gitAccountsQuery, gitHostKeysQuery } from '../git-account.api';
import { AddGitAccountDialog } from './add-git-account-dialog';
import { GitAccountRow } from './git-account-row';
import { HostKeyList } from './host-key-list';

type ListProps = { accounts: readonly GitAccount[]; teamId: string | undefined; mayChange: boolean; absent: string };

function GitAccountList({ accounts, teamId, mayChange, absent }: ListProps) {
  if (accounts.length === 0)
    return <p className="rounded-lg border border-dashed border-line-strong px-4 py-5 text-sm text-muted">{absent}</p>;
  return (
    <ul aria-label="Git accounts" className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
      {accounts.map((account) => (
        <GitAccountRow key={account.id} account={account} teamId={teamId} mayRemove={mayChange} />
      ))}
    </ul>
  );
}

const PENDING = <SkeletonRows count={1} className="h-14 rounded-lg" />;

/** What I sign in to git hosts with, in every team; nothing for someone who only looks on. */
export function OwnGitAccounts() {
  const accounts = useQuery(gitAccountsQuery);
  const team = useTeam();
  const mayUse = useMayWrite();
  const [isAdding, setAdding] = useState(false);
  if (!mayUse) return null;
  return (
    <Section
      title="Git accounts"
      description="For private repositories. Your own account for a host is used first, then the team’s; no one else’s."
      actions={
        <Button size="small" icon={<Plus size={15} />} onClick={() => setAdding(true)}>
          Add account
        </Button>
      }
    >
      <QueryGate query={accounts} pending={PENDING}>
        {({ data }) => (
          <GitAccountList
            accounts={data.filter(({ scope }) => scope === 'user')}
            teamId={team?.id}
            mayChange
            absent="No git accounts yet. Add an access token or an SSH key to use private repositories."
          />
        )}
      </QueryGate>
      <AddGitAccountDialog scope="user" teamId={undefined} open={isAdding} onOpenChange={setAdding} />
    </Section>
  );
}

/** What the team signs in with for members without their own account, and the hosts that it knows. */
export function TeamGitAccounts({ team }: { team: Team }) {
  const accounts = useQuery(gitAccountsQuery);
  const hostKeys = useQuery(gitHostKeysQuery);
  const [isAdding, setAdding] = useState(false);
  const mayChange = isAdmin(team.role);
  if (team.role === 'viewer') return null;
  return (
    <Section
      title="Git accounts"
      description="Used for members without their own account for the host."
      actions={
        mayChange && (
          <Button size="small" icon={<Plus size={15} />} onClick={() => setAdding(true)}>
            Add account
          </Button>
        )
      }
    >
      <QueryGate query={accounts} pending={PENDING}>
        {({ data }) => (
          <GitAccountList
            accounts={data.filter(({ teamId }) => teamId === team.id)}
            teamId={team.id}
            mayChange={mayChange}
            absent={
              mayChange
                ? 'No git accounts yet. Add one to let every member use the team’s private repositories.'
                : 'No git accounts yet. An owner or admin can add one.'
            }
          />
        )}
      </QueryGate>
      <HostKeyList
        hostKeys={(hostKeys.data?.data ?? []).filter(({ teamId }) => teamId === team.id)}
        mayForget={mayChange}
      />
      <AddGitAccountDialog scope="team" teamId={team.id} open={isAdding} onOpenChange={setAdding} />
    </Section>
  );
}
