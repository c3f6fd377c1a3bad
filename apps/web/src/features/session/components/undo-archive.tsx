import { useEffect } from 'react';
import { Button } from '../../../components/ui/button';
import { useNotices } from '../../../lib/notices/notices-service';
import type { SessionNotice } from '../../../lib/notices/session-notices';
import { actFailure } from '../act-notices';
import { useRestoreSession } from '../session.api';

/** Long enough to think again; afterwards the session's page and the list of archived ones restore it too. */
const SHOWN_MS = 30_000;

/** Takes back an archiving, while its notice is shown. */
export function UndoArchive({ notice }: { notice: SessionNotice }) {
  const notices = useNotices();
  const restore = useRestoreSession(notice.sessionId, {
    onError: (error) =>
      notices.add(
        actFailure({ id: notice.sessionId, title: notice.sessionTitle }, 'The session was not restored.', error),
      ),
  });
  useEffect(() => {
    const timer = setTimeout(() => notices.dismiss(notice.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notices, notice.id]);
  return (
    <Button
      size="small"
      className="mt-2"
      busy={restore.isPending}
      onClick={() => restore.mutate(undefined, { onSuccess: () => notices.dismiss(notice.id) })}
    >
      Undo
    </Button>
  );
}
