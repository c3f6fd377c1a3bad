import { metrics } from '@chirality/platform';
import type { Settlement } from './turn-settler';

/** Counts a settled turn in the metrics. */
export function countSettledTurn({ ending, turn: { timings } }: Settlement): void {
  const { queueMs, firstTokenMs, totalMs } = timings.snapshot();
  const status = ending.cause;
  metrics.turnsEnded.inc({ status, code: ending.error?.code ?? 'none' });
  if (totalMs !== null) metrics.turnSeconds.observe({ status }, totalMs / 1_000);
  if (queueMs !== null) metrics.turnQueueSeconds.observe(queueMs / 1_000);
  if (firstTokenMs !== null) metrics.turnFirstTokenSeconds.observe({ process: timings.origin }, firstTokenMs / 1_000);
}
