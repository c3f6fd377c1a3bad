import type { Team } from '@chirality/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Section } from '../../../components/ui/page';
import { meQuery } from '../../auth/api/get-me';
import { DefaultOptions } from '../../session/components/default-options';
import { updateTeam } from '../api/update-team';
import { isAdmin } from '../hooks/use-team';

export function TeamDefaults({ team }: { team: Team }) {
  const queries = useQueryClient();
  const update = useMutation({ mutationFn: updateTeam, onSuccess: () => queries.invalidateQueries({ queryKey: meQuery.queryKey }) });
  return (
    <Section title="Defaults" description="Defaults for new sessions in all projects. A project’s own defaults override them.">
      <DefaultOptions key={team.id} options={team.options} mayChange={isAdmin(team.role)} onSave={(options) => update.mutateAsync({ teamId: team.id, options })} />
    </Section>
  );
}
