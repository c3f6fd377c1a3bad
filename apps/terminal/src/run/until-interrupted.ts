import { InterruptedError } from '../program/failure';

type Act<T> = (signal: AbortSignal, onFirst: (stop: () => Promise<void>) => void) => Promise<T>;

/**
 * Runs an act that Ctrl-C ends in two steps: the first one calls what the act gave to `onFirst` and lets it come to its
 * end, the second one leaves at once. SIGTERM and SIGHUP are like the second, after they have asked for the first.
 */
export async function untilInterrupted<T>(act: Act<T>): Promise<T> {
  const leaving = new AbortController();
  let stop: (() => Promise<void>) | null = null;
  let isStopping = false;
  let fail: (error: Error) => void = () => undefined;
  const left = new Promise<never>((_resolve, reject) => (fail = reject));
  const leave = () => {
    leaving.abort();
    fail(new InterruptedError());
  };
  const onInterrupt = () => {
    if (isStopping) return leave();
    isStopping = true;
    // Where the turn cannot be stopped, there is nothing to wait for.
    if (stop !== null) stop().catch(fail);
  };
  const onTerminate = () => {
    const stopping = stop === null ? Promise.resolve() : stop().catch(() => undefined);
    void stopping.then(leave);
  };
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate).on('SIGHUP', onTerminate);
  try {
    return await Promise.race([
      act(leaving.signal, (first) => {
        stop = first;
        // It was wanted before there was anything to stop.
        if (isStopping) first().catch(fail);
      }),
      left,
    ]);
  } finally {
    process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate).off('SIGHUP', onTerminate);
  }
}
