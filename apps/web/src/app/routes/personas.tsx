import { Link } from '@tanstack/react-router';
import { Page } from '../../components/ui/page';
import { SkeletonRows } from '../../components/ui/skeleton';
import { TeamPersonaList } from '../../features/persona/components/team-persona-list';
import { isAdmin, useTeam } from '../../features/access/hooks/use-team';
import { useTitle } from '../../lib/page/use-title';

const NEW =
  'inline-flex h-9 items-center rounded-md bg-accent px-3.5 font-medium whitespace-nowrap text-on-accent hover:bg-accent-strong pointer-coarse:h-11';

export default function PersonasPage() {
  useTitle('Personas');
  const team = useTeam();
  const action = isAdmin(team?.role) && (
    <Link to="/personas/new" className={NEW}>
      New persona
    </Link>
  );
  return (
    <Page
      title="Personas"
      description={`Roles that ${team?.name ?? 'your team'} wrote for Claude, for all its projects.`}
      actions={action}
    >
      {team === null ? (
        <SkeletonRows count={3} className="h-16 rounded-lg" />
      ) : (
        <TeamPersonaList teamId={team.id} action={action} />
      )}
    </Page>
  );
}
