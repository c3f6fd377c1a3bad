import { Link } from '@tanstack/react-router';
import { NameText } from '../../../components/text/untrusted-text';
import type { AuditSubject } from '../audit-subject';

const LINK = 'rounded-sm text-muted underline decoration-line-strong underline-offset-2 hover:text-text';

/** Where an act happened, as links; nothing where it was in no project. */
export function AuditPlace({ subject: { project, session } }: { subject: AuditSubject }) {
  if (project === null && session === null) return null;
  return (
    <span className="text-faint">
      {' · '}
      {project !== null && (
        <Link to="/projects/$projectId" params={{ projectId: project.id }} className={LINK}>
          {project.name === null ? 'project' : <NameText text={project.name} />}
        </Link>
      )}
      {project !== null && session !== null && ' / '}
      {session !== null && (
        <Link to="/sessions/$sessionId" params={{ sessionId: session.id }} className={LINK}>
          {session.title === null ? 'session' : <NameText text={session.title} />}
        </Link>
      )}
    </span>
  );
}
