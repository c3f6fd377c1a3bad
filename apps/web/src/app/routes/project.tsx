import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Drama, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Page } from '../../components/ui/page';
import { projectQuery } from '../../features/project/api/get-project';
import { ProjectHistory } from '../../features/audit/components/project-history';
import { ProjectPermissions } from '../../features/permission/components/project-permissions';
import { ProjectDefaults } from '../../features/project/components/project-defaults';
import { ProjectSourceState } from '../../features/project/components/project-source-state';
import { ProjectMenu } from '../../features/project/components/project-menu';
import { describeSource } from '../../features/project/describe-source';
import { NewSessionDialog } from '../../features/session/components/new-session-dialog';
import { SessionList } from '../../features/session/components/session-list';
import { useMayWrite } from '../../features/team/hooks/use-team';
import { ApiError } from '../../lib/http/api-error';
import { useTitle } from '../../lib/use-title';
import { NotFound } from '../route-error';

export default function ProjectPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' });
  const project = useQuery(projectQuery(projectId));
  const mayWrite = useMayWrite(project.data?.teamId);
  const isReady = project.data?.sourceState.status === 'ready';
  const [isCreating, setCreating] = useState(false);
  useTitle(project.data?.name ?? 'Project');
  if (project.error instanceof ApiError && project.error.isGone) return <NotFound />;

  return (
    <Page
      title={project.data?.name ?? ' '}
      description={project.data === undefined ? ' ' : describeSource(project.data.source)}
      actions={
        <>
          <Link to="/projects/$projectId/personas" params={{ projectId }} aria-label="Personas of this project" className="flex items-center gap-1.5 rounded-md p-2 font-medium text-muted hover:bg-hover hover:text-text phone:px-3 phone:py-1.5">
            <Drama size={16} aria-hidden="true" />
            <span className="max-phone:sr-only">Personas</span>
          </Link>
          {mayWrite && project.data !== undefined && (
            <>
              <ProjectMenu project={project.data} />
              <Button variant="primary" icon={<Plus size={16} />} disabled={!isReady} onClick={() => setCreating(true)}>
                New session
              </Button>
            </>
          )}
        </>
      }
    >
      {project.data !== undefined && <ProjectSourceState project={project.data} mayWrite={mayWrite} />}
      {(project.data === undefined || isReady) && <SessionList projectId={projectId} onCreate={mayWrite ? () => setCreating(true) : null} />}
      {project.data !== undefined && (
        <>
          <ProjectPermissions project={project.data} />
          <ProjectDefaults project={project.data} />
          <ProjectHistory project={project.data} />
        </>
      )}
      <NewSessionDialog projectId={projectId} open={isCreating} onOpenChange={setCreating} />
    </Page>
  );
}
