import type { Project } from '@chirality/contracts';
import { limitsInForce } from '@chirality/domain';
import { Section } from '../../../components/ui/page';
import { DefaultOptions } from '../../options/components/default-options';
import { TurnLimits } from '../../options/components/turn-limits';
import { useTeam } from '../../access/hooks/use-team';
import { useSetProjectDefaults } from '../project.api';

/** What the project's sessions start from, and what none of their turns may go beyond. */
export function ProjectDefaults({ project }: { project: Project }) {
  const team = useTeam(project.teamId);
  const ofTeam = { team: team?.limits ?? null };
  const mayChange = project.role === 'manage';
  const update = useSetProjectDefaults(project.id);
  return (
    <>
      <Section
        title="Defaults"
        description="Defaults for new sessions. Persona, session and turn settings override them."
      >
        <DefaultOptions
          key={project.id}
          options={project.options}
          limits={limitsInForce({ ...ofTeam, project: project.limits })}
          mayChange={mayChange}
          onSave={(options) => update.mutateAsync({ options })}
        />
      </Section>
      <Section
        title="Limits"
        description="No turn in this project can exceed them, whatever its persona, session or message asks for."
      >
        <TurnLimits
          key={project.id}
          limits={project.limits}
          outer={limitsInForce(ofTeam)}
          mayChange={mayChange}
          onSave={(limits) => update.mutateAsync({ limits })}
        />
      </Section>
    </>
  );
}
