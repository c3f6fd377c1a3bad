import type { Team } from '@chirality/contracts';
import { limitsInForce } from '@chirality/domain';
import { Section } from '../../../components/ui/page';
import { DefaultOptions } from '../../options/components/default-options';
import { TurnLimits } from '../../options/components/turn-limits';
import { useUpdateTeam } from '../team.api';
import { isAdmin } from '../../access/hooks/use-team';

/** What sessions in all projects start from, and what no turn may go beyond. */
export function TeamDefaults({ team }: { team: Team }) {
  const update = useUpdateTeam(team.id);
  return (
    <>
      <Section
        title="Defaults"
        description="Defaults for new sessions in all projects. A project’s own defaults override them."
      >
        <DefaultOptions
          key={team.id}
          options={team.options}
          limits={limitsInForce({ team: team.limits })}
          mayChange={isAdmin(team.role)}
          onSave={(options) => update.mutateAsync({ options })}
        />
      </Section>
      <Section title="Limits" description="No turn in any project can exceed them. Projects can set lower limits.">
        <TurnLimits
          key={team.id}
          limits={team.limits}
          mayChange={isAdmin(team.role)}
          onSave={(limits) => update.mutateAsync({ limits })}
        />
      </Section>
    </>
  );
}
