import type { Session } from '@chirality/contracts';
import { ArchiveRestore } from 'lucide-react';
import { Button } from '../../../components/ui/button';
import { useNotices } from '../../../lib/notices/notices-service';
import { useTeam } from '../../access/hooks/use-team';
import { useUser } from '../../access/hooks/use-user';
import { actFailure } from '../act-notices';
import { mayRestore } from '../may-manage';
import { useRestoreSession } from '../session.api';

/** In the place of the message field, with the way back for those who may take it. */
export function ArchivedNote({ session, title }: { session: Session; title: string }) {
  const notices = useNotices();
  const me = useUser();
  const role = useTeam(session.teamId)?.role;
  const restore = useRestoreSession(session.id, {
    onError: (error) => notices.add(actFailure({ id: session.id, title }, 'The session was not restored.', error)),
  });
  return (
    <div className="mb-1 flex flex-wrap items-center justify-center gap-x-4 gap-y-2 rounded-lg bg-sunken px-4 py-3 text-sm text-muted">
      <p>This session is archived. It can be read, not continued.</p>
      {mayRestore({ ...session, status: 'archived' }, me.id, role) && (
        <Button
          size="small"
          icon={<ArchiveRestore size={14} />}
          busy={restore.isPending}
          onClick={() => restore.mutate()}
        >
          Restore
        </Button>
      )}
    </div>
  );
}
