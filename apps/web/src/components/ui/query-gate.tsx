import type { ReactNode } from 'react';
import { Button } from './button';
import { Callout } from './callout';
import { FailureText } from './failure-text';

/** What is used of a query's result, of one page or of several. */
type Shown<T> = { data: T | undefined; isError: boolean; error: unknown; refetch: () => Promise<unknown> };
type Props<T> = { query: Shown<T>; pending: ReactNode; children: (data: T) => ReactNode };

/** Shows what a query has; while it has nothing, that it loads, or why it could not and a way to try again. */
export function QueryGate<T>({ query, pending, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    return (
      <Callout tone="bad" role="alert" title="This could not be loaded" actions={<Button size="small" onClick={() => void query.refetch()}>Try again</Button>}>
        <FailureText error={query.error} />
      </Callout>
    );
  }
  return pending;
}
