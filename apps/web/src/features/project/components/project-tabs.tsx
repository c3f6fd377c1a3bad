import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

const TAB =
  'border-b-2 border-transparent px-1 pb-2 font-medium text-muted transition-colors hover:text-text data-[status=active]:border-accent data-[status=active]:text-text pointer-coarse:pt-2';

function Tab({
  to,
  projectId,
  children,
}: {
  to:
    | '/projects/$projectId'
    | '/projects/$projectId/files'
    | '/projects/$projectId/personas'
    | '/projects/$projectId/schedules'
    | '/projects/$projectId/members'
    | '/projects/$projectId/settings';
  projectId: string;
  children: ReactNode;
}) {
  return (
    <Link to={to} params={{ projectId }} activeOptions={{ exact: true, includeSearch: false }} className={TAB}>
      {children}
    </Link>
  );
}

/** The parts of a project's page, each with an address that can be shared. */
export function ProjectTabs({ projectId }: { projectId: string }) {
  return (
    <nav aria-label="Project" className="mb-6 flex gap-6 overflow-x-auto border-b border-line max-phone:gap-4">
      <Tab to="/projects/$projectId" projectId={projectId}>
        Sessions
      </Tab>
      <Tab to="/projects/$projectId/files" projectId={projectId}>
        Files
      </Tab>
      <Tab to="/projects/$projectId/personas" projectId={projectId}>
        Personas
      </Tab>
      <Tab to="/projects/$projectId/schedules" projectId={projectId}>
        Schedules
      </Tab>
      <Tab to="/projects/$projectId/members" projectId={projectId}>
        Members
      </Tab>
      <Tab to="/projects/$projectId/settings" projectId={projectId}>
        Settings
      </Tab>
    </nav>
  );
}
