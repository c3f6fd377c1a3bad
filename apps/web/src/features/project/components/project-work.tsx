import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { NameText } from '../../../components/text/untrusted-text';
import { plural } from '../../../lib/format/count';
import { unpushedParts } from '../../../lib/format/unpushed-sentence';
import { projectWorkQuery } from '../project.api';

const NAMED = 8;

/** The sessions of a project that have work which exists nowhere else, each with a way to it. */
export function ProjectWork({ projectId }: { projectId: string }) {
  const work = useQuery(projectWorkQuery(projectId)).data;
  if (work === undefined || work.sessions.length + work.hidden === 0) return null;
  const { sessions, hidden, hasMore } = work;
  return (
    <div className="mt-3">
      <p role="status" className="font-medium text-text">
        {hasMore ? 'At least ' : ''}
        {plural(sessions.length + hidden, 'session has', 'sessions have')} work that exists nowhere else, or of which
        that is not known:
      </p>
      <ul aria-label="Sessions with work that exists nowhere else" className="mt-1 text-sm">
        {sessions.slice(0, NAMED).map(({ sessionId, title, work: left }) => (
          <li key={sessionId} className="flex min-w-0 gap-2">
            <Link to="/sessions/$sessionId" params={{ sessionId }} className="link min-w-0 truncate">
              <NameText text={title} />
            </Link>
            <span className="shrink-0 text-muted">
              {left.state === 'unknown' ? 'not known' : unpushedParts(left).join(', ') || 'may have changed'}
            </span>
          </li>
        ))}
        {sessions.length > NAMED && <li className="text-muted">and {sessions.length - NAMED} more</li>}
        {hidden > 0 && <li className="text-muted">{plural(hidden, 'private session')} of other people</li>}
      </ul>
    </div>
  );
}
