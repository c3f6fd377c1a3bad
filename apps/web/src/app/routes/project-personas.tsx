import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Page } from '../../components/ui/page';
import { ProjectPersonaList } from '../../features/persona/components/project-persona-list';
import { projectQuery } from '../../features/project/api/get-project';
import { isAdmin, useTeam } from '../../features/team/hooks/use-team';
import { ApiError } from '../../lib/http/api-error';
import { useTitle } from '../../lib/use-title';
import { NotFound } from '../route-error';

export default function ProjectPersonasPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/personas' });
  const project = useQuery(projectQuery(projectId));
  const role = useTeam(project.data?.teamId)?.role;
  useTitle('Personas');
  if (project.error instanceof ApiError && project.error.isGone) return <NotFound />;
  return (
    <Page
      title="Personas"
      description={
        <>
          What sessions of{' '}
          <Link to="/projects/$projectId" params={{ projectId }} className="underline underline-offset-4 hover:text-text">
            {project.data?.name ?? 'this project'}
          </Link>{' '}
          may take.
        </>
      }
      actions={
        <Link to="/personas" className="rounded-md px-3 py-1.5 font-medium text-muted hover:bg-hover hover:text-text">
          Write one
        </Link>
      }
    >
      <ProjectPersonaList projectId={projectId} mayApprove={isAdmin(role)} />
    </Page>
  );
}
