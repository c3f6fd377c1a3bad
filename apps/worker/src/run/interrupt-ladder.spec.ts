import { InterruptLadder, type LadderRung } from './interrupt-ladder';

describe('the interrupt ladder', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function setUp() {
    const climbed: LadderRung[] = [];
    const step = (rung: LadderRung) => () => void climbed.push(rung);
    const ladder = new InterruptLadder({
      ask: step('ask'),
      interrupt: step('interrupt'),
      terminate: step('terminate'),
      kill: step('kill'),
    });
    return { ladder, climbed };
  }

  it('asks first and kills within ten seconds', () => {
    const { ladder, climbed } = setUp();
    ladder.start();
    expect(climbed).toEqual(['ask']);
    jest.advanceTimersByTime(2_000);
    expect(climbed).toEqual(['ask', 'interrupt']);
    jest.advanceTimersByTime(3_000);
    expect(climbed).toEqual(['ask', 'interrupt', 'terminate']);
    jest.advanceTimersByTime(5_000);
    expect(climbed).toEqual(['ask', 'interrupt', 'terminate', 'kill']);
  });

  it('climbs once however often it is started, and stops with the process', () => {
    const { ladder, climbed } = setUp();
    ladder.start();
    ladder.start('kill');
    ladder.stop();
    jest.advanceTimersByTime(20_000);
    ladder.start();
    expect(climbed).toEqual(['ask']);
  });

  it('starts higher up where asking has no sense', () => {
    const { ladder, climbed } = setUp();
    ladder.start('interrupt');
    expect(climbed).toEqual(['interrupt']);
    jest.advanceTimersByTime(8_000);
    expect(climbed).toEqual(['interrupt', 'terminate', 'kill']);
  });
});
