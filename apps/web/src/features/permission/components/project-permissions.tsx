import type { Project } from '@chirality/contracts';
import { Section } from '../../../components/ui/page';
import { isAdmin, useTeam } from '../../team/hooks/use-team';
import { ProjectPolicy } from './project-policy';
import { ProjectRuleList } from './project-rule-list';
import { TooWideRules } from './too-wide-rules';

/** What Claude may do in every session of a project, and who decided so. */
export function ProjectPermissions({ project }: { project: Project }) {
  const mayChange = isAdmin(useTeam(project.teamId)?.role);
  return (
    <div id="permissions" className="scroll-mt-4">
      <Section
        title="Permissions"
        description={`What Claude may do in every session of this project. ${mayChange ? 'Changes apply from the next tool call.' : 'Owners and admins of the team change it.'}`}
      >
        <div className="stack gap-4">
          <ProjectPolicy project={project} mayChange={mayChange} />
          <ProjectRuleList projectId={project.id} mayChange={mayChange} />
          {mayChange && <TooWideRules projectId={project.id} />}
        </div>
      </Section>
    </div>
  );
}
