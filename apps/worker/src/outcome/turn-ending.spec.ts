import { decideEnding, type EndingFacts } from './turn-ending';

const facts: EndingFacts = {
  stream: { outcome: 'completed', error: null },
  resultBeforeStop: true,
  stopReason: null,
  lineTooLong: false,
  exit: { code: 0, signal: null },
};
const crashed = { outcome: 'failed', error: { code: 'PROCESS_CRASHED', detail: 'x' } } as const;

describe('how a turn ends', () => {
  it.each<[string, Partial<EndingFacts>, { cause: string; code: string | null }]>([
    [
      'a result is success whatever the exit code',
      { exit: { code: 1, signal: null } },
      { cause: 'succeed', code: null },
    ],
    [
      'a hang after the result that we killed stays a success',
      { stopReason: 'silence', exit: { code: null, signal: 'SIGKILL' } },
      { cause: 'succeed', code: null },
    ],
    [
      'a stop that was asked for is not a crash',
      { stream: crashed, resultBeforeStop: false, stopReason: 'interrupt', exit: { code: 143, signal: null } },
      { cause: 'interrupt', code: null },
    ],
    [
      'an interrupted program’s own result after our stop is an interrupt',
      {
        stream: { outcome: 'failed', error: { code: 'HARNESS_FAILURE', detail: 'internal' } },
        resultBeforeStop: false,
        stopReason: 'interrupt',
      },
      { cause: 'interrupt', code: null },
    ],
    [
      'a limit of time is ours, not the person’s',
      { stream: crashed, resultBeforeStop: false, stopReason: 'wall' },
      { cause: 'time_out', code: 'TURN_TIMEOUT' },
    ],
    [
      'a crash is what the stream says it is',
      { stream: crashed, resultBeforeStop: false, exit: { code: null, signal: 'SIGSEGV' } },
      { cause: 'fail', code: 'PROCESS_CRASHED' },
    ],
    [
      'too many processes explain a kill',
      { stream: crashed, resultBeforeStop: false, exit: { code: null, signal: 'SIGKILL', tooManyProcesses: true } },
      { cause: 'fail', code: 'RESOURCE_LIMIT' },
    ],
    [
      'too many watches explain a kill',
      { stream: crashed, resultBeforeStop: false, exit: { code: null, signal: 'SIGKILL', tooManyWatches: true } },
      { cause: 'fail', code: 'RESOURCE_LIMIT' },
    ],
    [
      'memory explains a kill',
      { stream: crashed, resultBeforeStop: false, exit: { code: null, signal: 'SIGKILL', oom: true } },
      { cause: 'fail', code: 'OUT_OF_MEMORY' },
    ],
    [
      'a full disk explains a failure',
      { stream: crashed, resultBeforeStop: false, exit: { code: 1, signal: null, diskFull: true } },
      { cause: 'fail', code: 'DISK_FULL' },
    ],
    [
      'what would have been started otherwise is no crash',
      {
        stream: crashed,
        resultBeforeStop: false,
        stopReason: 'refused_start',
        exit: { code: null, signal: 'SIGKILL' },
      },
      { cause: 'fail', code: 'START_REFUSED' },
    ],
    [
      'an endless line has its own code',
      { stream: crashed, resultBeforeStop: false, lineTooLong: true },
      { cause: 'fail', code: 'LINE_TOO_LONG' },
    ],
    [
      'no result and no error is still an error',
      { stream: { outcome: 'failed', error: null }, resultBeforeStop: false },
      { cause: 'fail', code: 'NO_RESULT' },
    ],
  ])('%s', (_name, change, expected) => {
    const ending = decideEnding({ ...facts, ...change });
    expect({ cause: ending.cause, code: ending.error?.code ?? null }).toEqual(expected);
  });
});
