import { ApiError, messageOf } from '../../lib/http/api-error';
import { retrySentence, withoutRetry } from '../../lib/http/retry-sentence';
import { useNow } from '../../lib/state/use-now';

/** Why something failed. Where the server said how long that lasts, the time that is left, counted down. */
export function FailureText({ error }: { error: unknown }) {
  if (!(error instanceof ApiError) || error.retryAtMs === null) return messageOf(error);
  return (
    <>
      {withoutRetry(error.message)} <Retry atMs={error.retryAtMs} />
    </>
  );
}

function Retry({ atMs }: { atMs: number }) {
  const leftMs = atMs - useNow();
  return (
    <>
      <span aria-hidden="true">{retrySentence(leftMs)}</span>
      {/* Read out once and at the end, not every second. */}
      <span className="sr-only">{leftMs > 0 ? 'Try again later.' : retrySentence(0)}</span>
    </>
  );
}
