import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Section } from '../../components/ui/page';
import { ProjectPersonaList } from '../../features/persona/components/project-persona-list';
import { projectQuery } from '../../features/project/project.api';

export default function ProjectPersonasPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/personas' });
  const project = useQuery(projectQuery(projectId));
  return (
    <Section
      title="Personas"
      description="Available to sessions of this project: built-in ones, your team’s, and those in its files."
      actions={
        <Link to="/personas" className="rounded-md px-3 py-1.5 font-medium text-muted hover:bg-hover hover:text-text">
          Team personas
        </Link>
      }
    >
      <ProjectPersonaList projectId={projectId} mayApprove={project.data?.role === 'manage'} />
    </Section>
  );
}
