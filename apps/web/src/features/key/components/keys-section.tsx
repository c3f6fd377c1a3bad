import { useQuery } from '@tanstack/react-query';
import { Section } from '../../../components/ui/page';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { useTeams } from '../../access/hooks/use-team';
import { keysQuery } from '../key.api';
import { KeyList } from './key-list';

/** My keys and my teams’; nothing for a viewer. */
export function KeysSection() {
  const keys = useQuery(keysQuery);
  const teams = useTeams().filter(({ role }) => role !== 'viewer');
  if (teams.length === 0) return null;
  return (
    <Section title="Keys" description="Your own key is used first, then the team’s, then the server’s.">
      <QueryGate query={keys} pending={<SkeletonRows count={2} className="h-14 rounded-lg" />}>
        {(loaded) => (
          <div className="stack gap-5">
            {teams.map((team) => (
              <div key={team.id} className="stack gap-2">
                {teams.length > 1 && <h3 className="text-sm font-medium text-muted">{team.name}</h3>}
                <KeyList team={team} keys={loaded} />
              </div>
            ))}
          </div>
        )}
      </QueryGate>
    </Section>
  );
}
