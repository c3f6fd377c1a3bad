import type { PullRequestCheck, PullRequestReview } from '@chirality/contracts';
import type { ReactNode } from 'react';
import { SafeLink } from '../../../components/markdown/safe-link';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { Badge } from '../../../components/ui/badge';
import { CHECK_WORDS, REVIEW_WORDS } from '../checks-summary';

type Choice = { isChosen: boolean; onChange: () => void } | null;

function Row({ choice, label, children }: { choice: Choice; label: string; children: ReactNode }) {
  return (
    <li className="flex gap-3 border-b border-line px-3 py-2.5">
      {choice !== null && (
        <input
          type="checkbox"
          aria-label={label}
          checked={choice.isChosen}
          onChange={choice.onChange}
          className="mt-1 size-4 shrink-0 accent-accent"
        />
      )}
      <div className="min-w-0 flex-1">{children}</div>
    </li>
  );
}

export function CheckRow({ check, choice }: { check: PullRequestCheck; choice: Choice }) {
  const words = CHECK_WORDS[check.status];
  return (
    <Row choice={choice} label={`Send the check ${check.name}`}>
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-medium">
          <UntrustedText text={check.name} mode="prose" />
        </span>
        <Badge tone={words.tone}>{words.text}</Badge>
        {check.url !== null && (
          <span className="text-sm text-accent">
            <SafeLink href={check.url}>Details</SafeLink>
          </span>
        )}
      </div>
      {check.logTail !== undefined && (
        <details className="mt-1">
          <summary className="text-sm text-muted hover:text-text">End of the log</summary>
          <pre
            tabIndex={0}
            aria-label={`End of the log of ${check.name}`}
            className="mt-1 max-h-64 overflow-auto rounded-md bg-sunken p-2 text-xs"
          >
            <UntrustedText text={check.logTail} mode="prose" />
          </pre>
        </details>
      )}
    </Row>
  );
}

export function ReviewRow({ review, choice }: { review: PullRequestReview; choice: Choice }) {
  const words = REVIEW_WORDS[review.state];
  return (
    <Row choice={choice} label={`Send the comment by ${review.author}`}>
      <div className="flex items-center gap-2 text-sm">
        <span className="font-medium">
          <UntrustedText text={review.author} mode="prose" />
        </span>
        {review.path !== undefined && (
          <code className="min-w-0 flex-1 truncate text-muted">
            <UntrustedText text={review.line === undefined ? review.path : `${review.path}:${review.line}`} />
          </code>
        )}
        {words !== null && <Badge tone={words.tone}>{words.text}</Badge>}
      </div>
      {review.body !== '' && (
        <p dir="auto" className="mt-1 max-h-64 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
          <UntrustedText text={review.body} mode="prose" />
        </p>
      )}
    </Row>
  );
}
