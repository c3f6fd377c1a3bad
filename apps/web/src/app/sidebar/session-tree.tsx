import type { ListedSession, Project } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronRight, Folder, Plus } from 'lucide-react';
import { SkeletonRows } from '../../components/ui/skeleton';
import { NameText } from '../../components/text/untrusted-text';
import { useMayWrite } from '../../features/access/hooks/use-team';
import { useTeamProjects } from '../../features/project/hooks/use-team-projects';
import { recentSessionsQuery } from '../../features/session/session.api';
import { SessionDot } from '../../features/session/components/session-dot';
import { WorkspaceUseMark } from '../../features/session/components/workspace-use-mark';
import { useStoredFlag } from '../../lib/state/use-stored';
import { openAppDialog } from '../services/app-dialog';
import { classNames } from '../../components/class-names';

/** How many sessions of a project are listed here; the project's page has them all. */
const SHOWN = 7;

function SessionLink({ session }: { session: ListedSession }) {
  return (
    <Link
      to="/sessions/$sessionId"
      params={{ sessionId: session.id }}
      className="flex items-center gap-2 rounded-md py-1.5 ps-8 pe-2 text-muted transition-colors hover:bg-hover hover:text-text data-[status=active]:bg-pressed data-[status=active]:text-text pointer-coarse:py-2.5"
    >
      <NameText text={session.title} className="min-w-0 flex-1 truncate" />
      <WorkspaceUseMark session={session} />
      <SessionDot status={session.status} />
    </Link>
  );
}

function ProjectGroup({
  project,
  sessions,
  isCurrent,
}: {
  project: Project;
  sessions: ListedSession[];
  isCurrent: boolean;
}) {
  const [isClosed, setClosed] = useStoredFlag(`project-closed.${project.id}`, false);
  const isOpen = !isClosed;
  return (
    <li className="pb-1">
      <div
        className={classNames(
          'group flex items-center rounded-md pe-1 transition-colors hover:bg-hover',
          isCurrent && 'bg-pressed',
        )}
      >
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Fold' : 'Unfold'} ${project.name}`}
          onClick={() => setClosed(isOpen)}
          className="flex size-7 shrink-0 items-center justify-center rounded-md text-faint pointer-coarse:size-10"
        >
          <ChevronRight size={14} className={classNames('transition-transform', isOpen && 'rotate-90')} />
        </button>
        <Link
          to="/projects/$projectId"
          params={{ projectId: project.id }}
          className="flex min-w-0 flex-1 items-center gap-2 rounded-md py-1.5 font-medium pointer-coarse:py-2.5"
        >
          <Folder size={15} aria-hidden="true" className="shrink-0 text-faint" />
          <NameText text={project.name} className="truncate" />
        </Link>
        {!isOpen && sessions.some((session) => session.status === 'waiting') && <SessionDot status="waiting" />}
      </div>
      {isOpen && (
        <ul>
          {shownOf(sessions).map((session) => (
            <li key={session.id}>
              <SessionLink session={session} />
            </li>
          ))}
          {sessions.length > SHOWN && (
            <li>
              <Link
                to="/projects/$projectId"
                params={{ projectId: project.id }}
                className="block rounded-md py-1 ps-8 text-sm text-faint hover:text-text"
              >
                All sessions
              </Link>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

/** The latest ones, and every one that waits for a person however old it is; those that wait come first. */
function shownOf(sessions: readonly ListedSession[]): ListedSession[] {
  const isWaiting = ({ status }: ListedSession) => status === 'waiting';
  return [...sessions.filter(isWaiting), ...sessions.filter((session, index) => !isWaiting(session) && index < SHOWN)];
}

function groupByProject(sessions: readonly ListedSession[]): Map<string, ListedSession[]> {
  const groups = new Map<string, ListedSession[]>();
  for (const session of sessions) groups.set(session.projectId, [...(groups.get(session.projectId) ?? []), session]);
  return groups;
}

/** Projects with their latest sessions; those that wait for a person come first. */
export function SessionTree() {
  const projects = useTeamProjects();
  const sessions = useQuery(recentSessionsQuery);
  const { projectId, sessionId } = useParams({ strict: false });
  const mayWrite = useMayWrite();
  if (projects.data === undefined) return projects.isError ? null : <SkeletonRows count={4} className="h-7" />;
  if (projects.data.length === 0) {
    return mayWrite ? (
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => openAppDialog({ name: 'new-project' })}
        className="flex w-full items-center gap-2 rounded-md px-2.5 py-2 text-start text-muted hover:bg-hover hover:text-text"
      >
        <Plus size={15} aria-hidden="true" /> Create your first project
      </button>
    ) : (
      <p className="px-2.5 py-2 text-muted">No projects yet</p>
    );
  }
  const byProject = groupByProject(sessions.data ?? []);
  const latestOf = (project: Project) => byProject.get(project.id)?.[0]?.updatedAt ?? project.updatedAt;
  const ordered = projects.data.toSorted((a, b) => latestOf(b).localeCompare(latestOf(a)));
  return (
    <ul>
      {ordered.map((project) => (
        <ProjectGroup
          key={project.id}
          project={project}
          sessions={byProject.get(project.id) ?? []}
          isCurrent={projectId === project.id && sessionId === undefined}
        />
      ))}
    </ul>
  );
}
