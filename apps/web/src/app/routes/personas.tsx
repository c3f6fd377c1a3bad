import { Link } from '@tanstack/react-router';
import { Page, Section } from '../../components/ui/page';
import { SkeletonRows } from '../../components/ui/skeleton';
import { BuiltInPersonaList } from '../../features/persona/components/built-in-persona-list';
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
      description={`Roles for Claude in all projects of ${team?.name ?? 'your team'}.`}
      actions={action}
    >
      {team === null ? (
        <SkeletonRows count={3} className="h-16 rounded-lg" />
      ) : (
        <>
          <Section title="Your team’s">
            <TeamPersonaList teamId={team.id} />
          </Section>
          <Section
            title="Built in"
            description="Available in every project. One of your team’s with the same key replaces it."
          >
            <BuiltInPersonaList teamId={team.id} />
          </Section>
        </>
      )}
    </Page>
  );
}
