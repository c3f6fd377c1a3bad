import type { Project } from '@chirality/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Section } from '../../../components/ui/page';
import { DefaultOptions } from '../../session/components/default-options';
import { isAdmin, useTeam } from '../../team/hooks/use-team';
import { updateProject } from '../api/update-project';

export function ProjectDefaults({ project }: { project: Project }) {
  const queries = useQueryClient();
  const role = useTeam(project.teamId)?.role;
  const update = useMutation({
    mutationFn: updateProject,
    onSuccess: (changed) => {
      queries.setQueryData(['project', project.id], changed);
      return queries.invalidateQueries({ queryKey: ['audit', project.id] });
    },
  });
  return (
    <Section title="Defaults" description="Defaults for new sessions. Persona, session and turn settings override them.">
      <DefaultOptions key={project.id} options={project.options} mayChange={isAdmin(role)} onSave={(options) => update.mutateAsync({ projectId: project.id, options })} />
    </Section>
  );
}
