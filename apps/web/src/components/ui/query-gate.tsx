import type { ReactNode } from 'react';
import { ApiError } from '../../lib/http/api-error';
import { Button } from './button';
import { Callout } from './callout';
import { FailureText } from '../text/failure-text';

/** What is used of a query's result, of one page or of several. */
type Shown<T> = { data: T | undefined; isError: boolean; error: unknown; refetch: () => Promise<unknown> };
type Props<T> = {
  query: Shown<T>;
  pending: ReactNode;
  /** What to do instead where the thing does not exist: trying again would find the same. */
  gone?: ReactNode;
  children: (data: T) => ReactNode;
};

/** Shows what a query has; while it has nothing, that it loads, or why it could not and a way to try again. */
export function QueryGate<T>({ query, pending, gone, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <LoadFailure query={query} title="This could not be loaded" gone={gone} />;
  return pending;
}

type LoadFailureProps = Pick<Props<unknown>, 'gone'> & {
  query: Pick<Shown<unknown>, 'error' | 'refetch'>;
  title?: string | undefined;
  className?: string | undefined;
};

/** Why a query has nothing to show, and what to do about it. */
export function LoadFailure({ query: { error, refetch }, title, gone, className }: LoadFailureProps) {
  const isGone = error instanceof ApiError && error.isGone;
  const again = (
    <Button size="small" onClick={() => void refetch()}>
      Try again
    </Button>
  );
  return (
    <Callout tone="bad" role="alert" title={title} actions={isGone ? gone : again} className={className}>
      <FailureText error={error} />
    </Callout>
  );
}
