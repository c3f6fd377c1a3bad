import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { Section } from '../../../components/ui/page';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { useTeams } from '../../access/hooks/use-team';
import { tokensQuery } from '../token.api';
import { CreateTokenDialog, type TokenProject } from './create-token-dialog';
import { TokenRow } from './token-row';

/** Tokens of programs: my own, and those of teams that I manage; nothing for a viewer. */
export function TokensSection({ projects }: { projects: readonly TokenProject[] }) {
  const tokens = useQuery(tokensQuery);
  const teams = useTeams().filter(({ role }) => role !== 'viewer');
  const [isCreating, setCreating] = useState(false);
  if (teams.length === 0) return null;
  const nameOf = (id: string) => projects.find((project) => project.id === id)?.name ?? 'an archived project';
  return (
    <Section
      title="Access tokens"
      description="For scripts, editors, CI and agents that use Chirality in your name."
      actions={
        <Button size="small" icon={<Plus size={15} />} onClick={() => setCreating(true)}>
          Create token
        </Button>
      }
    >
      <QueryGate query={tokens} pending={<SkeletonRows count={1} className="h-14 rounded-lg" />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="rounded-lg border border-dashed border-line-strong px-4 py-5 text-sm text-muted">
              No access tokens yet. Create one to use Chirality from a program.
            </p>
          ) : (
            <ul
              aria-label="Access tokens"
              className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card"
            >
              {data.map((token) => (
                <TokenRow
                  key={token.id}
                  token={token}
                  team={teams.length > 1 ? (teams.find(({ id }) => id === token.teamId)?.name ?? null) : null}
                  nameOf={nameOf}
                />
              ))}
            </ul>
          )
        }
      </QueryGate>
      <CreateTokenDialog open={isCreating} onOpenChange={setCreating} teams={teams} projects={projects} />
    </Section>
  );
}
