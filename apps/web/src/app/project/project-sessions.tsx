import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { projectQuery } from '../../features/project/project.api';
import { SessionList } from '../../features/session/components/session-list';
import { StartBox } from '../start/start-box';

/** What people come to a project for: begin a session, or continue one. */
export default function ProjectSessionsPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/' });
  const project = useQuery(projectQuery(projectId)).data;
  const mayWrite = project !== undefined && project.role !== 'read';
  if (project !== undefined && project.sourceState.status !== 'ready') return null;
  return (
    <>
      {mayWrite && project !== undefined && <StartBox key={project.id} projects={[project]} />}
      <SessionList projectId={projectId} />
    </>
  );
}
