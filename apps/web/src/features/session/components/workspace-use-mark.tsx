import type { ListedSession } from '@chirality/contracts';
import { FolderLock } from 'lucide-react';
import { formatTime } from '../../../lib/format/time';

/** In a list: another session works in the files that this one shares, so that a message here would be refused. */
export function WorkspaceUseMark({ session }: { session: ListedSession }) {
  const { workspaceUse: use, status } = session;
  if (use === null || status !== 'idle') return null;
  const label =
    use.session !== null && use.by !== null && use.since !== null
      ? `Shared files in use: ${use.by.name} in “${use.session.title}” since ${formatTime(use.since)}`
      : 'Shared files in use by another session';
  return (
    <span title={label} className="flex size-4 shrink-0 items-center justify-center text-faint">
      <FolderLock size={13} aria-hidden="true" />
      <span className="sr-only">{label}</span>
    </span>
  );
}
