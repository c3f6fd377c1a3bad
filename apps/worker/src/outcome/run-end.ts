import { exceededLimit, type SandboxExit } from '../sandbox/sandbox.types';
import type { RunOutcome, RunResult } from '../harness/harness-output';
import type { StopReason } from './turn-ending';

/** What is known of a process that served a turn once it is done with it. */
export type RunEnd = {
  outcome: RunOutcome;
  /** Null when the process lives on and may be parked. */
  exit: SandboxExit | null;
  result: RunResult | null;
  stopReason: StopReason | null;
  resultBeforeStop: boolean;
  lineTooLong: boolean;
  sawInit: boolean;
  mutatingToolStarted: boolean;
  stderr: string;
};

/** A process that waited for this turn and then died, or did not react: nothing of the turn has happened yet. */
export function neverBegan(end: RunEnd): boolean {
  return !end.sawInit && end.result === null && (end.stopReason === null || end.stopReason === 'start');
}

/** The conversation that was to be continued is not there: nothing of the turn has happened yet. */
export function transcriptIsGone(resume: string | null, end: RunEnd): boolean {
  return resume !== null && end.stopReason === null && end.outcome.error?.code === 'RESUME_FAILED';
}

/** The program died in the middle of its work, and neither we nor a limit ended it. */
export function crashed({ result, outcome, stopReason, sawInit, lineTooLong, exit }: RunEnd): boolean {
  if (result !== null || outcome.error?.code !== 'PROCESS_CRASHED') return false;
  return stopReason === null && sawInit && !lineTooLong && !(exit && exceededLimit(exit));
}
