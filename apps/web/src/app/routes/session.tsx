import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Callout } from '../../components/ui/callout';
import { sessionQuery } from '../../features/session/session.api';
import { SessionView } from '../session/session-view';
import { useFollowTeam } from '../../features/access/hooks/use-team';
import { useUser } from '../../features/access/hooks/use-user';
import { useTranscriptStore } from '../../lib/transcript/use-transcript';
import { SkeletonRows } from '../../components/ui/skeleton';
import { FailureText } from '../../components/text/failure-text';
import { ApiError } from '../../lib/http/api-error';
import { NotFound } from '../frame/route-error';

export default function SessionPage() {
  const { sessionId } = useParams({ from: '/signed-in/sessions/$sessionId' });
  const user = useUser();
  // Followed from here, so that the events are on their way while the session itself is asked for.
  useTranscriptStore(sessionId);
  const session = useQuery(sessionQuery(sessionId));
  useFollowTeam(session.data?.teamId);
  if (session.error instanceof ApiError && session.error.isGone) return <NotFound />;
  if (session.data === undefined) {
    return (
      <main id="main" tabIndex={-1} className="column pt-20">
        {session.isError ? (
          <Callout tone="bad" role="alert" title="This session could not be loaded">
            <FailureText error={session.error} />
          </Callout>
        ) : (
          <SkeletonRows count={4} className="h-16 rounded-lg" />
        )}
      </main>
    );
  }
  return <SessionView key={`${sessionId}/${user.id}`} session={session.data} me={user} />;
}
