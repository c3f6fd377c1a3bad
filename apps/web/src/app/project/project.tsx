import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Page } from '../../components/ui/page';
import { projectQuery } from '../../features/project/project.api';
import { ProjectMenu } from '../../features/project/components/project-menu';
import { ProjectReport } from '../../features/project/components/project-report';
import { ProjectRefresh } from '../../features/project/components/project-refresh';
import { ProjectSourceState } from '../../features/project/components/project-source-state';
import { ProjectTabs } from '../../features/project/components/project-tabs';
import { describeSource } from '../../features/project/describe-source';
import { NewSessionDialog } from '../start/new-session-dialog';
import { useFollowTeam } from '../../features/access/hooks/use-team';
import { ApiError } from '../../lib/http/api-error';
import { useTitle } from '../../lib/page/use-title';
import { NotFound } from '../frame/route-error';

/** The frame around the tabs of one project: its name, what can be done with it, and where its files are. */
export default function ProjectPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' });
  const project = useQuery(projectQuery(projectId));
  useFollowTeam(project.data?.teamId);
  const mayWrite = project.data !== undefined && project.data.role !== 'read';
  const isReady = project.data?.sourceState.status === 'ready';
  const [isCreating, setCreating] = useState(false);
  useTitle(project.data?.name ?? 'Project');
  if (project.error instanceof ApiError && project.error.isGone) return <NotFound />;

  return (
    <Page
      title={project.data?.name ?? ' '}
      description={project.data === undefined ? ' ' : describeSource(project.data.source)}
      actions={
        mayWrite &&
        project.data !== undefined && (
          <>
            <ProjectMenu project={project.data} />
            <Button variant="primary" icon={<Plus size={16} />} disabled={!isReady} onClick={() => setCreating(true)}>
              New session
            </Button>
          </>
        )
      }
    >
      <ProjectTabs projectId={projectId} />
      {project.data !== undefined && <ProjectSourceState project={project.data} mayWrite={mayWrite} />}
      {project.data !== undefined && <ProjectRefresh project={project.data} mayWrite={mayWrite} />}
      {project.data?.sourceState.status === 'ready' && <ProjectReport report={project.data.report} />}
      <Outlet />
      <NewSessionDialog projectId={projectId} open={isCreating} onOpenChange={setCreating} />
    </Page>
  );
}
