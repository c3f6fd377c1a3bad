import type { RunEnd } from '../process/process-run';
import type { PreparedTurn } from '../process/prepared-turn';

/** A process that waited for this turn and then died, or did not react: nothing of the turn has happened yet. */
export function neverBegan(end: RunEnd): boolean {
  return !end.sawInit && end.result === null && (end.stopReason === null || end.stopReason === 'start');
}

/** The conversation to continue no longer exists: nothing of the turn has happened yet. */
export function transcriptIsGone(prepared: PreparedTurn, end: RunEnd): boolean {
  return prepared.resume !== null && end.stopReason === null && end.outcome.error?.code === 'RESUME_FAILED';
}
