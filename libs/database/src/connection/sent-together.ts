/** What every statement answers after one of its transaction has failed: it says nothing of why. */
const TRANSACTION_ABORTED = '25P02';

/**
 * Statements of one transaction that were sent without waiting for each other's answers, as these answers. Waits for
 * all of them, and throws the error of the first failure rather than of one that followed from it: the caller that
 * decides whether to try again needs that one.
 */
export async function sentTogether<const T extends readonly unknown[]>(
  statements: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const outcomes = await Promise.allSettled(statements);
  const errors = outcomes
    .filter((outcome) => outcome.status === 'rejected')
    .map(({ reason }) => reason as Error & { code?: unknown });
  const cause = errors.find(({ code }) => code !== TRANSACTION_ABORTED) ?? errors[0];
  if (cause) throw cause;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>;
  };
}
