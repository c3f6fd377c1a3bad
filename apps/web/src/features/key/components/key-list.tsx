import type { ModelKeyList, Team } from '@chirality/contracts';
import { isAdmin } from '../../access/hooks/use-team';
import { KeyRow } from './key-row';

const WITHOUT = {
  service: 'None; the server’s key pays.',
  demo: 'None; the demo model answers.',
  team: 'None; the team’s key pays.',
  user: 'None.',
} as const;

/** Who pays in one team, as things are for me. */
export function KeyList({ team, keys }: { team: Team; keys: Pick<ModelKeyList, 'data' | 'paidBy'> }) {
  const paidBy = keys.paidBy[team.id] ?? 'demo';
  const inForce = (scope: 'team' | 'user') =>
    keys.data.find((key) => key.teamId === team.id && key.scope === scope) ?? null;
  const ofTeam = inForce('team');
  const withoutTeam =
    paidBy === 'user'
      ? 'None; people without their own key fall back to the server’s, or to the demo model.'
      : WITHOUT[paidBy];
  return (
    <ul
      aria-label={`Keys in ${team.name}`}
      className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card"
    >
      <KeyRow
        teamId={team.id}
        scope="user"
        keyInForce={inForce('user')}
        mayChange
        pays={paidBy === 'user'}
        absent={WITHOUT[paidBy]}
      />
      <KeyRow
        teamId={team.id}
        scope="team"
        keyInForce={ofTeam}
        mayChange={isAdmin(team.role)}
        pays={paidBy === 'team'}
        absent={isAdmin(team.role) ? withoutTeam : `${withoutTeam} An owner or admin can set one.`}
      />
    </ul>
  );
}
