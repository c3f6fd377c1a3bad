import type { Project } from '@chirality/contracts';
import { Section } from '../../../components/ui/page';
import { isAdmin, useTeam } from '../../access/hooks/use-team';
import type { Places } from '../audit-subject';
import { AuditList } from './audit-list';

/** For those who may read the audit log. */
export function ProjectHistory({ project, sessions }: { project: Project; sessions: Places['sessions'] }) {
  if (!isAdmin(useTeam(project.teamId)?.role)) return null;
  return (
    <Section title="Who changed what">
      <AuditList project={project} sessions={sessions} />
    </Section>
  );
}
