import type { HarnessProcess, TurnSink } from '../harness/harness';
import type { HarnessOutput, RunResult } from '../harness/harness-output';
import type { SandboxExit } from '../sandbox/sandbox.types';
import type { Judged } from '../outcome/held-to-schema';
import { decideEnding } from '../outcome/turn-ending';
import { WATCHDOG_LIMITS } from '../outcome/turn-watchdog';
import type { ActiveTurn } from '../record/active-turn';
import { ProcessRun } from './process-run';

const nothing = () => undefined;

const unjudged = ({ outcome, error, retryable }: RunResult): Judged => ({
  outcome,
  error,
  retryable,
  structured: null,
});

function startRun(judge: (result: RunResult) => Judged | Promise<Judged> = unjudged) {
  let sink: TurnSink | undefined;
  let ends: (exit: SandboxExit) => void = nothing;
  const process = {
    serve: (served: TurnSink) => (sink = served),
    exited: new Promise<SandboxExit>((resolve) => (ends = resolve)),
    outcome: () => ({ outcome: 'failed', error: { code: 'PROCESS_CRASHED', detail: 'It died.' } }),
    interrupt: nothing,
    endInput: nothing,
    channel: {},
    sandboxed: { signalProgram: nothing, killTree: nothing },
  } as unknown as HarnessProcess;
  const turn = {
    recorder: { closeBlocks: nothing },
    rawLog: {},
    timings: { mark: nothing },
    log: { info: nothing, warn: nothing, debug: nothing },
  } as unknown as ActiveTurn;
  const permissions = {
    handle: () => true,
    withdraw: nothing,
    compare: nothing,
    startRefused: () => undefined,
    toolStarted: nothing,
    toolEnded: nothing,
  };
  const run = new ProcessRun(
    process,
    turn,
    permissions,
    { announced: nothing, firstText: nothing, resulted: nothing },
    WATCHDOG_LIMITS,
    true,
    judge,
  );
  const say = (output: object) => sink?.output(output as HarnessOutput);
  const result = (queuedTurnCount: number) =>
    say({ type: 'result', result: { outcome: 'completed', queuedTurnCount, text: '', degraded: false, error: null } });
  return { run, say, result, dies: () => ends({ code: 143, signal: null }) };
}

describe('a process that has more to do after a result', () => {
  it('is stopped, and did not crash, when it is interrupted before its own last result', async () => {
    const { run, say, result, dies } = startRun();
    say({ type: 'init' });
    result(1);
    run.stop('interrupt');
    dies();
    const end = await run.finished;
    expect(end).toMatchObject({ stopReason: 'interrupt', resultBeforeStop: false });
    expect(decideEnding({ ...end, stream: end.outcome })).toEqual({ cause: 'interrupt', error: null });
  });

  it('has ended with its last result, whatever is asked afterwards', async () => {
    const { run, say, result } = startRun();
    say({ type: 'init' });
    result(1);
    result(0);
    run.stop('interrupt');
    expect(await run.finished).toMatchObject({ exit: null, resultBeforeStop: true });
  });
});

describe('an answer that has to be judged', () => {
  it('is the last one, once, and while that lasts the process may end and its output means nothing', async () => {
    const judged: RunResult[] = [];
    let decide: (judged: Judged) => void = nothing;
    const { run, say, result, dies } = startRun((each) => {
      judged.push(each);
      return new Promise((resolve) => (decide = resolve));
    });
    say({ type: 'init' });
    for (let left = 45; left >= 0; left -= 1) result(left);
    result(0);
    expect(judged.map(({ queuedTurnCount }) => queuedTurnCount)).toEqual([0]);
    dies();
    await new Promise(setImmediate);
    const failed = { outcome: 'failed', error: { code: 'SCHEMA_NOT_FOLLOWED', detail: 'No.' } } as const;
    decide({ ...failed, retryable: false, structured: null });
    const end = await run.finished;
    expect(end.outcome).toMatchObject(failed);
    expect(end.result).toMatchObject(failed);
  });
});
