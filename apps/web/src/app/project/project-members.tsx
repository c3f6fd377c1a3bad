import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ProjectMembers } from '../../features/project/members/project-members';
import { projectQuery } from '../../features/project/project.api';

/** Who has a project. */
export default function ProjectMembersPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/members' });
  const project = useQuery(projectQuery(projectId)).data;
  return project === undefined ? null : <ProjectMembers project={project} />;
}
