import { pullRequestName } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDot, CircleX, GitPullRequest } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../../components/ui/badge';
import { checksSummary, stateWords } from '../checks-summary';
import { pullRequestQuery } from '../pull-request.api';

const MARKS: Partial<Record<Tone, ReactNode>> = {
  good: <CircleCheck size={13} aria-hidden="true" />,
  warn: <CircleDot size={13} aria-hidden="true" />,
  bad: <CircleX size={13} aria-hidden="true" />,
};

/** Number, state and checks of the session's pull request, as a link to its host; nothing while there is none. */
export function PullRequestLink({ sessionId }: { sessionId: string }) {
  const pullRequest = useQuery(pullRequestQuery(sessionId)).data;
  if (!pullRequest) return null;
  const { number, kind, url } = pullRequest;
  const state = stateWords(pullRequest);
  const checks = pullRequest.state === 'open' ? checksSummary(pullRequest.checks) : null;
  const words = [pullRequestName(pullRequest), state.text, checks?.text].filter((part) => part).join(', ');
  const mark = kind === 'gitlab' ? '!' : '#';
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      referrerPolicy="no-referrer"
      title={words}
      className="flex shrink-0 items-center gap-1 rounded-full hover:opacity-80 pointer-coarse:py-2"
    >
      <Badge tone={state.tone}>
        <GitPullRequest size={12} aria-hidden="true" />
        <span className="sr-only">{pullRequestName(pullRequest).split(mark)[0]}</span>
        {mark}
        {number}
        <span className="max-phone:sr-only">{state.text}</span>
      </Badge>
      {checks !== null && (
        <Badge tone={checks.tone}>
          {MARKS[checks.tone]}
          <span className="max-[60rem]:sr-only">{checks.text}</span>
        </Badge>
      )}
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  );
}
