import type { Project, Session } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FolderPlus, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { EmptyState } from '../../components/ui/empty-state';
import { Page } from '../../components/ui/page';
import { QueryGate } from '../../components/ui/query-gate';
import { SkeletonRows } from '../../components/ui/skeleton';
import { ArchivedProjects } from '../../features/project/components/archived-projects';
import { CreateProjectDialog } from '../../features/project/components/create-project-dialog';
import { ProjectRow } from '../../features/project/components/project-row';
import { useTeamProjects } from '../../features/project/hooks/use-team-projects';
import { StartBox } from '../start/start-box';
import { useMayWrite, useTeam } from '../../features/access/hooks/use-team';
import { recentSessionsQuery } from '../../features/session/session.api';
import { useTitle } from '../../lib/page/use-title';

function isSample({ source }: Project): boolean {
  return source.kind === 'empty' && source.sample === true;
}

function isReady({ sourceState }: Project): boolean {
  return sourceState.status === 'ready';
}

/** Projects that a session can be started in, the one that was used last first. */
function startable(projects: readonly Project[], sessions: readonly Session[]): Project[] {
  const latest = (project: Project) =>
    sessions.find((session) => session.projectId === project.id)?.updatedAt ?? project.updatedAt;
  return projects.filter(isReady).toSorted((a, b) => latest(b).localeCompare(latest(a)));
}

export default function ProjectsPage() {
  useTitle('Projects');
  const team = useTeam();
  const projects = useTeamProjects();
  const sessions = useQuery(recentSessionsQuery).data ?? [];
  const mayWrite = useMayWrite();
  const [isCreating, setCreating] = useState(false);
  const [isArchiveShown, setArchiveShown] = useState(false);
  const create = mayWrite ? (
    <Button variant="primary" icon={<Plus size={16} />} onClick={() => setCreating(true)}>
      New project
    </Button>
  ) : null;

  return (
    <Page
      title="Projects"
      description={
        team === null
          ? 'The code that Claude works on with you.'
          : `The code that Claude works on with you in ${team.name}.`
      }
      actions={(projects.data?.length ?? 0) > 0 && create}
    >
      {mayWrite && projects.data !== undefined && (
        <StartBox
          // Another team has other projects, and none of them was chosen.
          key={team?.id}
          teamId={team?.id}
          projects={startable(projects.data, sessions)}
          unready={projects.data.filter((project) => !isReady(project))}
          offersSample={!projects.data.some(isSample)}
        />
      )}
      <QueryGate query={projects} pending={<SkeletonRows count={4} className="h-17 rounded-lg" />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState
              icon={<FolderPlus size={22} />}
              title={mayWrite ? 'Create your first project' : 'No projects yet'}
              action={create}
            >
              {mayWrite
                ? 'Bring your own code: a git repository, an archive, a directory on this server, or an empty folder. Or send a message above to try Claude on a sample project.'
                : 'Projects that your team shares with you appear here.'}
            </EmptyState>
          ) : (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
              {data.map((project) => (
                <ProjectRow
                  key={project.id}
                  project={project}
                  sessions={sessions.filter((session) => session.projectId === project.id)}
                />
              ))}
            </ul>
          )
        }
      </QueryGate>
      <label className="mt-6 flex w-fit cursor-pointer items-center gap-2 pb-3 text-sm text-muted">
        <input
          type="checkbox"
          checked={isArchiveShown}
          onChange={(event) => setArchiveShown(event.target.checked)}
          className="size-4 accent-accent"
        />
        Show archived
      </label>
      <p className="pb-3 text-sm">
        <Link to="/deleted" className="link">
          Recently deleted
        </Link>
      </p>
      {isArchiveShown && <ArchivedProjects teamId={team?.id} mayRestore={mayWrite} />}
      <CreateProjectDialog teamId={team?.id} open={isCreating} onOpenChange={setCreating} />
    </Page>
  );
}
