import type { Logger } from '@chirality/platform';
import type { HarnessProcess, TurnSink } from '../harness/harness';
import type { HarnessOutput } from '../harness/harness-output';
import type { SandboxExit } from '../sandbox';
import { decideEnding } from '../outcome/turn-ending';
import type { TurnJournal } from '../record/turn-journal';
import type { TurnTimings } from '../record/turn-timings';
import { WATCHDOG_LIMITS } from '../outcome/turn-watchdog';
import { ProcessRun, type RunPorts } from './process-run';
import type { RawLog } from './raw-log';

const nothing = () => undefined;

function startRun() {
  let sink: TurnSink | undefined;
  let ends: (exit: SandboxExit) => void = nothing;
  const process = {
    serve: (served: TurnSink) => (sink = served),
    exited: new Promise<SandboxExit>((resolve) => (ends = resolve)),
    outcome: () => ({ outcome: 'failed', error: { code: 'PROCESS_CRASHED', detail: 'It died.' } }),
    interrupt: nothing,
    endInput: nothing,
    channel: {},
    sandboxed: { signalClaude: nothing, killTree: nothing },
  } as unknown as HarnessProcess;
  const ports = Object.fromEntries(
    [
      'onAnnounced',
      'onResult',
      'onToolStarted',
      'onToolEnded',
      'onToolRuling',
      'onControlRequest',
      'onControlCancel',
      'onStopping',
    ].map((name) => [name, nothing]),
  );
  const quiet = { warn: nothing, debug: nothing } as unknown as Logger;
  const run = new ProcessRun(
    process,
    { closeBlocks: nothing } as unknown as TurnJournal,
    {} as RawLog,
    { mark: nothing } as unknown as TurnTimings,
    ports as unknown as RunPorts,
    quiet,
    WATCHDOG_LIMITS,
    true,
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
