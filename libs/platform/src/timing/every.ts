/**
 * Calls `act` every `ms` milliseconds, the first time after one interval, until the function that it returns is called.
 * A call that is due while the last one still runs is left out. A failure goes to `onError`, and the next call comes as
 * ever. `background` lets the process end although the timer runs.
 */
export function every(
  ms: number,
  act: () => unknown,
  { onError = () => undefined, background = false }: { onError?: (error: unknown) => void; background?: boolean } = {},
): () => void {
  let isRunning = false;
  const tick = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await act();
    } catch (error) {
      onError(error);
    } finally {
      isRunning = false;
    }
  };
  const timer = setInterval(() => void tick(), ms);
  if (background) timer.unref();
  return () => clearInterval(timer);
}
