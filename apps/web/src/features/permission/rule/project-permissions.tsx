import type { Project } from '@chirality/contracts';
import type { ReactNode } from 'react';
import { Section } from '../../../components/ui/page';
import { ProjectRuleList } from './project-rule-list';
import { TooWideRules } from './too-wide-rules';

/**
 * What Claude may do in every session of a project, and who decided so; `policy` are the project’s switches for all of
 * it.
 */
export function ProjectPermissions({ project, policy }: { project: Project; policy: ReactNode }) {
  const mayChange = project.role === 'manage';
  return (
    <div id="permissions" className="scroll-mt-4">
      <Section
        title="Permissions"
        description={`What Claude may do in every session of this project. ${mayChange ? 'Changes apply from the next tool call.' : 'Owners and admins of the team change it.'}`}
      >
        <div className="stack gap-4">
          {policy}
          <ProjectRuleList projectId={project.id} mayChange={mayChange} />
          {mayChange && <TooWideRules projectId={project.id} />}
        </div>
      </Section>
    </div>
  );
}
