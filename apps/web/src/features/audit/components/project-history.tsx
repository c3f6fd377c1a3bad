import type { Project } from '@chirality/contracts';
import { Section } from '../../../components/ui/page';
import { isAdmin, useTeam } from '../../access/hooks/use-team';
import { AuditList } from './audit-list';

/** For those who may read the audit log. */
export function ProjectHistory({ project }: { project: Project }) {
  if (!isAdmin(useTeam(project.teamId)?.role)) return null;
  return (
    <Section title="Who changed what">
      <AuditList teamId={project.teamId} projectId={project.id} />
    </Section>
  );
}
