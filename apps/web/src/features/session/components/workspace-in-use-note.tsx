import type { WorkspaceUse } from '@chirality/contracts';
import { Link } from '@tanstack/react-router';
import { Callout } from '../../../components/ui/callout';
import { NameText } from '../../../components/text/untrusted-text';
import { formatTime } from '../../../lib/format/time';

/** Who works in the shared files, so that a message of this session would be refused. */
export function WorkspaceInUseNote({ use }: { use: WorkspaceUse | null }) {
  if (use === null) return null;
  const { session, by, since } = use;
  return (
    <Callout tone="info" role="status" className="mb-2" title="Another session works in the shared files">
      {session !== null && by !== null && since !== null ? (
        <>
          <NameText text={by.name} /> has a turn running since {formatTime(since)} in{' '}
          <Link
            to="/sessions/$sessionId"
            params={{ sessionId: session.id }}
            className="rounded-sm font-medium underline underline-offset-2"
          >
            <NameText text={session.title} />
          </Link>
          . You can send here when it has ended.
        </>
      ) : (
        'You can send here when its turn has ended.'
      )}
    </Callout>
  );
}
