import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ProjectFiles } from '../../features/files/browser/project-files';
import { projectQuery } from '../../features/project/project.api';

/**
 * The files that sessions of a project start from. Until they are here, the frame around this page says how far that
 * is.
 */
export default function ProjectFilesPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/files' });
  const { path = '' } = useSearch({ from: '/signed-in/projects/$projectId/files' });
  const navigate = useNavigate();
  const project = useQuery(projectQuery(projectId)).data;
  const mayWrite = project !== undefined && project.role !== 'read';
  if (project === undefined || project.sourceState.status !== 'ready') return null;
  return (
    <ProjectFiles
      key={projectId}
      project={project}
      mayWrite={mayWrite}
      path={path}
      onPath={(next, { replace }) =>
        void navigate({ to: '/projects/$projectId/files', params: { projectId }, search: { path: next }, replace })
      }
    />
  );
}
