import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ProjectHistory } from '../../features/audit/components/project-history';
import { ProjectPermissions } from '../../features/permission/rule/project-permissions';
import { projectQuery } from '../../features/project/project.api';
import { ProjectDefaults } from '../../features/project/components/project-defaults';
import { ProjectPolicy } from '../../features/project/components/project-policy';
import { ProjectRemote } from '../../features/project/components/project-remote';
import { ProjectWebhook } from '../../features/project/webhook/project-webhook';
import { recentSessionsQuery } from '../../features/session/session.api';
import { ProjectEnvironment } from '../../features/environment/components/project-environment';

/** What holds in every session of a project. */
export default function ProjectSettingsPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/settings' });
  const project = useQuery(projectQuery(projectId)).data;
  const sessions = useQuery(recentSessionsQuery).data ?? [];
  if (project === undefined) return null;
  return (
    <>
      <ProjectPermissions project={project} policy={<ProjectPolicy project={project} />} />
      <ProjectDefaults project={project} />
      <ProjectRemote key={project.id} project={project} />
      <ProjectWebhook key={`webhook of ${project.id}`} project={project} />
      <ProjectEnvironment project={project} />
      <ProjectHistory project={project} sessions={sessions} />
    </>
  );
}
