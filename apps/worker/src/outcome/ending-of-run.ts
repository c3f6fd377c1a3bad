import type { RunEnd } from './run-end';
import { startFailure } from './start-failure';
import { decideEnding, type Ending, type StopReason } from './turn-ending';

/** How a turn ended by what the last process that served it did; `end` is null where none was started. */
export function endingOfRun(end: RunEnd | null, stopReason: StopReason | null): Ending {
  if (end !== null) return startFailure(end) ?? decideEnding({ ...end, stream: end.outcome });
  return decideEnding({
    stream: { outcome: 'interrupted', error: null },
    resultBeforeStop: false,
    stopReason,
    lineTooLong: false,
    exit: null,
  });
}
