import type { Project, Session } from '@chirality/contracts';
import { Link } from '@tanstack/react-router';
import { Folder, FolderGit2, FolderOpen, FolderUp } from 'lucide-react';
import { Badge } from '../../../components/ui/badge';
import { plural } from '../../../lib/format/count';
import { formatAgo } from '../../../lib/format/time';
import { useMinute } from '../../../lib/state/use-now';
import { describeSource } from '../describe-source';
import { isOnItsWay } from '../is-on-its-way';

const ICONS = {
  empty: <Folder size={18} />,
  git: <FolderGit2 size={18} />,
  directory: <FolderOpen size={18} />,
  upload: <FolderUp size={18} />,
};

export function ProjectRow({ project, sessions }: { project: Project; sessions: Session[] }) {
  const now = useMinute();
  const waiting = sessions.filter((session) => session.status === 'waiting').length;
  const running = sessions.filter((session) => session.status === 'running').length;
  const latest = sessions[0]?.updatedAt ?? project.updatedAt;
  return (
    <li>
      <Link
        to="/projects/$projectId"
        params={{ projectId: project.id }}
        className="flex items-center gap-3.5 rounded-lg border border-line bg-surface px-4 py-3.5 shadow-card transition-colors hover:border-line-strong"
      >
        <span aria-hidden="true" className="text-faint">
          {ICONS[project.source.kind]}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{project.name}</span>
          <span className="block truncate text-sm text-muted">
            {describeSource(project.source)}
            {sessions.length > 0 && ` · ${plural(sessions.length, 'session')}`}
          </span>
        </span>
        {project.visibility === 'members' && <Badge title="Only its members can see this project">Members only</Badge>}
        {project.role === 'read' && <Badge>Read only</Badge>}
        {isOnItsWay(project) && <Badge tone="accent">Fetching</Badge>}
        {project.sourceState.status === 'failed' && <Badge tone="bad">Not fetched</Badge>}
        {project.sourceState.status === 'awaiting_upload' && <Badge>No files yet</Badge>}
        {waiting > 0 && <Badge tone="warn">{waiting} waiting</Badge>}
        {running > 0 && <Badge tone="accent">{running} running</Badge>}
        <span className="w-17 shrink-0 text-end text-sm text-faint max-phone:hidden">{formatAgo(latest, now)}</span>
      </Link>
    </li>
  );
}
