import type { PullRequest } from '@chirality/contracts';
import { pullRequestName } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { GitPullRequest } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { FailureText } from '../../../components/text/failure-text';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { SafeLink } from '../../../components/markdown/safe-link';
import { Badge } from '../../../components/ui/badge';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { EmptyState } from '../../../components/ui/empty-state';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatAgo } from '../../../lib/format/time';
import { plural } from '../../../lib/format/count';
import { useMinute } from '../../../lib/state/use-now';
import { randomId } from '../../../lib/state/random-id';
import { stateWords } from '../checks-summary';
import { pullRequestQuery, useSendFeedback } from '../pull-request.api';
import { CheckRow, ReviewRow } from './feedback-rows';
import { OpenPullRequestDialog } from './open-pull-request-dialog';

type Props = {
  sessionId: string;
  sessionTitle: string;
  prompts: readonly string[];
  mayWrite: boolean;
  isRunning: boolean;
};

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="border-b border-line bg-sunken px-3 py-2 text-sm font-medium text-muted">{title}</h3>
      <ul>{children}</ul>
    </section>
  );
}

function Head({ pullRequest }: { pullRequest: PullRequest }) {
  const now = useMinute();
  const state = stateWords(pullRequest);
  return (
    <div className="border-b border-line p-3">
      <h2 className="flex items-center gap-2 font-semibold">
        <SafeLink href={pullRequest.url}>{pullRequestName(pullRequest)}</SafeLink>
        <Badge tone={state.tone}>{state.text}</Badge>
      </h2>
      <p className="mt-0.5">
        <UntrustedText text={pullRequest.title} mode="prose" />
      </p>
      <p className="mt-0.5 text-sm text-muted">
        <code>{pullRequest.head}</code> into <code>{pullRequest.base}</code> · opened by {pullRequest.openedBy.name}
        {pullRequest.readAt !== null && ` · read ${formatAgo(pullRequest.readAt, now)}`}
      </p>
      {pullRequest.readError !== null && (
        <Callout tone="warn" role="status" className="mt-2" title="It could not be read again">
          {pullRequest.readError}
        </Callout>
      )}
    </div>
  );
}

/** `null` of a set: what failed or is asked for, as long as no one chose. */
function Feedback({
  sessionId,
  pullRequest,
  mayWrite,
  isRunning,
}: Omit<Props, 'prompts' | 'sessionTitle'> & { pullRequest: PullRequest }) {
  const { checks, reviews } = pullRequest;
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const [key, setKey] = useState(randomId);
  const send = useSendFeedback(sessionId, () => {
    setKey(randomId());
    setChosen(new Set());
  });
  const suggested = checks.filter(({ status }) => status === 'failed').map(({ name }) => `check ${name}`);
  const current = chosen ?? new Set(suggested);
  const choiceOf = (id: string) =>
    mayWrite
      ? {
          isChosen: current.has(id),
          onChange: () => {
            const next = new Set(current);
            if (!next.delete(id)) next.add(id);
            // Another choice is another request.
            setKey(randomId());
            setChosen(next);
          },
        }
      : null;
  const order = {
    checks: checks.map(({ name }) => name).filter((name) => current.has(`check ${name}`)),
    reviews: reviews.map(({ id }) => id).filter((id) => current.has(`review ${id}`)),
  };
  const count = order.checks.length + order.reviews.length;
  return (
    <>
      <Group title={checks.length === 0 ? 'No checks' : 'Checks'}>
        {checks.map((check) => (
          <CheckRow key={check.name} check={check} choice={choiceOf(`check ${check.name}`)} />
        ))}
      </Group>
      <Group title={reviews.length === 0 ? 'No comments' : 'Comments'}>
        {reviews.map((review) => (
          <ReviewRow key={review.id} review={review} choice={choiceOf(`review ${review.id}`)} />
        ))}
      </Group>
      {mayWrite && checks.length + reviews.length > 0 && (
        <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t border-line bg-canvas p-3">
          <Button
            variant="primary"
            busy={send.isPending}
            disabled={count === 0 || isRunning}
            onClick={() => send.mutate({ ...order, key })}
          >
            {count === 0 ? 'Send to Claude' : `Send ${plural(count, 'item')} to Claude`}
          </Button>
          <span role="status" className="min-w-0 text-sm text-muted">
            {isRunning && 'Wait until the turn has ended.'}
            {!isRunning && send.isSuccess && count === 0 && 'Sent.'}
            {send.isError && (
              <span className="text-bad">
                <FailureText error={send.error} />
              </span>
            )}
          </span>
        </div>
      )}
    </>
  );
}

/** The session's pull request: its checks and comments, to be sent to Claude; or the way to open one. */
export function PullRequestTab({ sessionId, sessionTitle, prompts, mayWrite, isRunning }: Props) {
  const query = useQuery(pullRequestQuery(sessionId));
  const [isOpening, setOpening] = useState(false);
  const begin = (
    <Button variant="primary" onClick={() => setOpening(true)}>
      Open a pull request
    </Button>
  );
  return (
    <QueryGate
      query={query}
      pending={
        <div className="p-4">
          <SkeletonRows count={4} className="h-7" />
        </div>
      }
    >
      {(pullRequest) => (
        <>
          {pullRequest === null ? (
            <EmptyState
              icon={<GitPullRequest size={20} />}
              title="No pull request yet"
              action={mayWrite ? begin : undefined}
            >
              Open one from the session’s pushed branch. Its checks and comments appear here, and can be sent to Claude.
            </EmptyState>
          ) : (
            <>
              <Head pullRequest={pullRequest} />
              {pullRequest.notice !== null && pullRequest.state === 'open' && (
                <div className="border-b border-line p-3">
                  <Callout tone="warn">
                    <UntrustedText text={pullRequest.notice} mode="prose" />
                  </Callout>
                </div>
              )}
              {pullRequest.state !== 'open' && mayWrite && <div className="border-b border-line p-3">{begin}</div>}
              <Feedback sessionId={sessionId} pullRequest={pullRequest} mayWrite={mayWrite} isRunning={isRunning} />
            </>
          )}
          {mayWrite && (
            <OpenPullRequestDialog
              open={isOpening}
              onOpenChange={setOpening}
              sessionId={sessionId}
              sessionTitle={sessionTitle}
              prompts={prompts}
            />
          )}
        </>
      )}
    </QueryGate>
  );
}
