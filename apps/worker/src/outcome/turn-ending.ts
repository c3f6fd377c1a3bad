import { RIGHTS_ENDED, type TurnCause } from '@chirality/domain';
import type { TurnError } from '@chirality/contracts';
import type { WatchdogVerdict } from './turn-watchdog';

/** Why we ended the process ourselves, if we did. */
export type StopReason =
  | 'interrupt'
  | 'shutdown'
  | 'fenced'
  | 'unattended'
  | 'unpaid'
  | 'forbidden'
  | 'bypassed'
  | 'refused_start'
  | WatchdogVerdict;

export type ProcessEnd = {
  code: number | null;
  signal: string | null;
  oom?: boolean;
  diskFull?: boolean;
  tooManyProcesses?: boolean;
  tooManyWatches?: boolean;
  lockBusy?: boolean;
};

export type EndingFacts = {
  /** What the stream said, with or without a result line. */
  stream: { outcome: 'completed' | 'failed' | 'interrupted'; error: TurnError | null };
  /** The result line was read before we began to stop the process. */
  resultBeforeStop: boolean;
  stopReason: StopReason | null;
  lineTooLong: boolean;
  /** Null when the process lives on. */
  exit: ProcessEnd | null;
};

export type Ending = {
  cause: Extract<TurnCause, 'succeed' | 'fail' | 'interrupt' | 'time_out'>;
  error: TurnError | null;
};

const STOPPED: Record<Exclude<StopReason, 'fenced'>, Ending> = {
  interrupt: { cause: 'interrupt', error: null },
  shutdown: {
    cause: 'interrupt',
    error: {
      code: 'INTERRUPTED',
      detail: 'The worker was shut down before the turn ended. Send the message again to continue.',
    },
  },
  unattended: {
    cause: 'fail',
    error: {
      code: 'PERMISSION_DENIED',
      detail:
        'The turn needed a permission and no one may be asked in this mode. Allow the tool in the session’s options, or use a workbench session.',
    },
  },
  unpaid: {
    cause: 'fail',
    error: {
      code: 'BUDGET_EXCEEDED',
      detail: 'No account is left to bill for this turn. What was done so far is kept.',
    },
  },
  forbidden: { cause: 'interrupt', error: RIGHTS_ENDED },
  bypassed: {
    cause: 'fail',
    error: {
      code: 'POLICY_BYPASSED',
      detail:
        'Claude Code ran a tool that it was not allowed to run, so the turn was ended. Look at what the session changed, and ask an admin to look at the audit log.',
    },
  },
  refused_start: {
    cause: 'fail',
    error: {
      code: 'START_REFUSED',
      detail:
        'The Agent SDK would have started Claude Code in another way than was decided on, so nothing was run. Switch the session to the harness claude-code, and ask an admin to look at the audit log.',
    },
  },
  start: {
    cause: 'time_out',
    error: {
      code: 'START_TIMEOUT',
      detail:
        'Claude Code did not start in time. Try again; if it stays so, an operator finds the cause in the worker’s log.',
    },
  },
  silence: {
    cause: 'time_out',
    error: {
      code: 'SILENCE_TIMEOUT',
      detail: 'Claude Code said nothing for too long and was stopped. Send a message to continue from here.',
    },
  },
  wall: {
    cause: 'time_out',
    error: {
      code: 'TURN_TIMEOUT',
      detail: 'The turn reached its time limit and was stopped. Send a message to continue, or raise timeoutMs.',
    },
  },
  wait: {
    cause: 'time_out',
    error: {
      code: 'PERMISSION_EXPIRED',
      detail:
        'No one answered the permission request in time. Send a message to continue; the request will come again.',
    },
  },
};

/**
 * The one rule that turns what happened into how the turn ended. A result that came before our stop counts, whatever
 * the process did afterwards; a stop that we asked for is never shown as a crash; success is what the stream says,
 * never an exit code.
 */
export function decideEnding(facts: EndingFacts): Ending {
  const { stopReason, stream, exit } = facts;
  if (stopReason === 'bypassed') return STOPPED.bypassed;
  if (facts.resultBeforeStop && stream.outcome === 'completed') return { cause: 'succeed', error: null };
  if (stopReason !== null && stopReason !== 'fenced' && !facts.resultBeforeStop) return STOPPED[stopReason];
  if (facts.lineTooLong)
    return failed(
      'LINE_TOO_LONG',
      'Claude Code wrote a single line of more than 64 MiB. The text so far is kept; ask for less output at once.',
    );
  if (exit?.oom)
    return failed(
      'OUT_OF_MEMORY',
      'The turn used more memory than its sandbox may. Send a message to continue with a smaller step.',
    );
  if (exit?.tooManyProcesses)
    return failed(
      'RESOURCE_LIMIT',
      'The turn started as many processes as its sandbox may, so Claude Code could not continue. Send a message to continue with fewer at once.',
    );
  if (exit?.tooManyWatches)
    return failed(
      'RESOURCE_LIMIT',
      'The turn watched more files than its sandbox may (inotify) and was stopped. Send a message to continue without file watchers.',
    );
  if (exit?.diskFull)
    return failed(
      'DISK_FULL',
      'The turn used more disk than its sandbox may. Remove large files from the workspace and continue.',
    );
  if (stream.outcome === 'completed') return { cause: 'succeed', error: null };
  if (stream.outcome === 'interrupted') return { cause: 'interrupt', error: null };
  return {
    cause: 'fail',
    error: stream.error ?? {
      code: 'NO_RESULT',
      detail: 'Claude Code ended without a result. The text so far is kept; send a message to continue.',
    },
  };
}

function failed(code: TurnError['code'], detail: string): Ending {
  return { cause: 'fail', error: { code, detail } };
}
