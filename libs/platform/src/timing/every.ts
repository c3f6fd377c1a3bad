/**
 * Calls `act` every `ms` milliseconds, the first time after one interval, until the function that it returns is called.
 * A call that is due while the last one still runs is left out. After a failure the next call comes as ever; the
 * failure goes to `onError`, or is an unhandled rejection, which each process logs. `background` lets the process end
 * although the timer runs.
 */
export function every(
  ms: number,
  act: () => unknown,
  { onError, background = false }: { onError?: (error: unknown) => void; background?: boolean } = {},
): () => void {
  let isRunning = false;
  const tick = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await act();
    } catch (error) {
      if (!onError) throw error;
      onError(error);
    } finally {
      isRunning = false;
    }
  };
  const timer = setInterval(() => void tick(), ms);
  if (background) timer.unref();
  return () => clearInterval(timer);
}
