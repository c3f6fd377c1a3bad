import type { ListedSession } from '@chirality/contracts';
import { Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { NameText } from '../../../components/text/untrusted-text';
import { costText, isFree } from '../../../lib/format/cost';
import { formatAgo, formatFull } from '../../../lib/format/time';
import { useMinute } from '../../../lib/state/use-now';
import { useMemberName } from '../../access/hooks/use-member-name';
import { MODE_NAMES } from '../session-names';
import { SessionStatusBadge } from './session-status';
import { WorkspaceUseMark } from './workspace-use-mark';

export function SessionRow({ session }: { session: ListedSession }) {
  const now = useMinute();
  const nameOf = useMemberName(session.teamId);
  const facts = [
    nameOf(session.ownerId),
    session.persona,
    session.mode === 'workbench' ? null : MODE_NAMES[session.mode],
    isFree(session) ? null : session.costUsd === null ? 'cost unknown' : costText(session),
  ];
  return (
    <li>
      <Link
        to="/sessions/$sessionId"
        params={{ sessionId: session.id }}
        className="flex items-center gap-3 px-4 py-3 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <NameText text={session.title} className="truncate font-medium" />
            {session.visibility === 'private' && (
              <Lock size={12} role="img" aria-label="Private" className="shrink-0 text-faint" />
            )}
          </span>
          <span className="block truncate text-sm text-muted">{facts.filter(Boolean).join(' · ')}</span>
        </span>
        <WorkspaceUseMark session={session} />
        <SessionStatusBadge status={session.status} />
        <time
          dateTime={session.updatedAt}
          title={formatFull(session.updatedAt)}
          className="w-16 shrink-0 text-end text-sm text-faint"
        >
          {formatAgo(session.updatedAt, now)}
        </time>
      </Link>
    </li>
  );
}
