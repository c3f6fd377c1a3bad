import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { personasQuery } from '../../features/persona/persona.api';
import { projectQuery } from '../../features/project/project.api';
import { SchedulesSection } from '../../features/schedule/components/schedules-section';
import { serviceAccountsQuery } from '../../features/token/service-account.api';

export default function ProjectSchedulesPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/schedules' });
  const project = useQuery(projectQuery(projectId)).data;
  const personas = useQuery(personasQuery(projectId)).data?.data ?? [];
  const accounts = useQuery(serviceAccountsQuery).data ?? [];
  return (
    <SchedulesSection
      projectId={projectId}
      role={project?.role}
      personas={personas.filter(({ choosable }) => choosable).map(({ key, name }) => ({ key, name }))}
      accounts={accounts.filter(({ teamId }) => teamId === project?.teamId)}
    />
  );
}
