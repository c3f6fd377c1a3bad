import type { SessionWorkspace } from '@chirality/contracts';
import { Link } from '@tanstack/react-router';
import { FolderSync } from 'lucide-react';
import { Badge } from '../../../components/ui/badge';
import { Popover } from '../../../components/overlay/popover';
import { NameText } from '../../../components/text/untrusted-text';
import { SessionDot } from './session-dot';

/** That a session shares its files, and with which sessions; which of them works there now is marked. */
export function SharedWorkspaceLink({ sessionId, workspace }: { sessionId: string; workspace: SessionWorkspace }) {
  const { branch, sessions } = workspace;
  const others = sessions.filter(({ id }) => id !== sessionId);
  return (
    <Popover
      label="Shared workspace"
      align="end"
      trigger={
        <button
          type="button"
          className="flex shrink-0 items-center rounded-full pointer-coarse:py-2"
          title="This session shares its files with other sessions"
        >
          <Badge tone="neutral">
            <FolderSync size={12} aria-hidden="true" />
            <span className="max-phone:sr-only">Shared</span>
            <span className="sr-only"> workspace</span>
          </Badge>
        </button>
      }
    >
      <div className="stack gap-3 text-sm">
        <h2 className="font-semibold">Shared workspace</h2>
        <p className="text-muted">
          Sessions that share the files{' '}
          {branch !== null && (
            <>
              of <NameText text={branch} className="font-medium text-text" />{' '}
            </>
          )}
          see each other’s changes, committed or not. One of them works at a time.
        </p>
        {others.length === 0 ? (
          <p className="text-muted">No other session that you can see shares them yet.</p>
        ) : (
          <ul aria-label="Sessions that share these files" className="stack gap-1">
            {others.map(({ id, title, owner, status }) => (
              <li key={id}>
                <Link
                  to="/sessions/$sessionId"
                  params={{ sessionId: id }}
                  className="flex items-center gap-2 rounded-md px-1.5 py-1 hover:bg-hover pointer-coarse:py-2"
                >
                  <SessionDot status={status} />
                  <NameText text={title} className="min-w-0 flex-1 truncate" />
                  <NameText text={owner.name} className="max-w-[40%] shrink-0 truncate text-muted" />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Popover>
  );
}
