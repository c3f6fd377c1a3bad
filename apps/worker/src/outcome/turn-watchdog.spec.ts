import { TurnWatchdog, WATCHDOG_LIMITS, type WatchdogVerdict } from './turn-watchdog';

function setUp(limits: Partial<ConstructorParameters<typeof TurnWatchdog>[0]> = {}) {
  let now = 0;
  const verdicts: WatchdogVerdict[] = [];
  const watchdog = new TurnWatchdog(
    { startMs: 5_000, silenceMs: 10_000, wallMs: 30_000, waitMs: 60_000, ...limits },
    (verdict) => verdicts.push(verdict),
    () => now,
  );
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 250) {
      now += 250;
      watchdog.look();
    }
  };
  return { watchdog, verdicts, pass, jump: (ms: number) => ((now += ms), watchdog.look()) };
}

describe('the watchdog of a turn', () => {
  it('ends a program that never comes up', () => {
    const { verdicts, pass } = setUp();
    pass(4_750);
    expect(verdicts).toEqual([]);
    pass(250);
    expect(verdicts).toEqual(['start']);
  });

  it('counts silence from the last output, and speaks once', () => {
    const { watchdog, verdicts, pass } = setUp();
    watchdog.enter('running');
    pass(9_000);
    watchdog.heard();
    pass(9_000);
    expect(verdicts).toEqual([]);
    pass(20_000);
    expect(verdicts).toEqual(['silence']);
  });

  it('counts neither silence nor running time while a person is asked', () => {
    const { watchdog, verdicts, pass } = setUp();
    watchdog.enter('running');
    watchdog.enter('waiting');
    pass(59_000);
    watchdog.enter('running');
    pass(9_000);
    expect(verdicts).toEqual([]);
    watchdog.enter('waiting');
    pass(60_000);
    expect(verdicts).toEqual(['wait']);
  });

  it('lets a person take 31 minutes, longer than a turn may run, and then a full time to continue', () => {
    const { watchdog, verdicts, pass } = setUp(WATCHDOG_LIMITS);
    watchdog.enter('running');
    watchdog.enter('waiting');
    pass(31 * 60_000);
    expect(verdicts).toEqual([]);
    watchdog.enter('running');
    pass(WATCHDOG_LIMITS.silenceMs - 250);
    expect(verdicts).toEqual([]);
    watchdog.enter('waiting');
    pass(WATCHDOG_LIMITS.waitMs - 250);
    expect(verdicts).toEqual([]);
    pass(250);
    expect(verdicts).toEqual(['wait']);
  });

  it('does not blame the program for the time in which we did not read', () => {
    const { watchdog, verdicts, pass } = setUp();
    watchdog.enter('running');
    watchdog.setReading(false);
    pass(60_000);
    watchdog.setReading(true);
    pass(9_000);
    expect(verdicts).toEqual([]);
  });

  it('does not blame the program for the time in which we were stopped', () => {
    const { watchdog, verdicts, jump } = setUp();
    watchdog.enter('running');
    jump(3_600_000);
    expect(verdicts).toEqual([]);
  });

  it('limits the whole running time however much is said', () => {
    const { watchdog, verdicts, pass } = setUp();
    watchdog.enter('running');
    for (let i = 0; i < 40; i += 1) {
      pass(1_000);
      watchdog.heard();
    }
    expect(verdicts).toEqual(['wall']);
  });
});
