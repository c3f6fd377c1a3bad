import { every } from './every';

describe('an act that is repeated', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('runs with each interval until it is stopped', async () => {
    const act = jest.fn();
    const stop = every(1_000, act);
    expect(act).toHaveBeenCalledTimes(0);
    await jest.advanceTimersByTimeAsync(3_000);
    stop();
    await jest.advanceTimersByTimeAsync(3_000);
    expect(act).toHaveBeenCalledTimes(3);
  });

  it('is left out while it still runs', async () => {
    let end: () => void = () => undefined;
    const act = jest.fn(() => new Promise<void>((resolve) => (end = resolve)));
    const stop = every(1_000, act);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(act).toHaveBeenCalledTimes(1);
    end();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(act).toHaveBeenCalledTimes(2);
    stop();
  });

  it.each([
    [
      'thrown',
      () => {
        throw new Error('no');
      },
    ],
    ['rejected', () => Promise.reject(new Error('no'))],
  ])('continues after a failure that was %s, and reports it', async (_, fail) => {
    const onError = jest.fn();
    const stop = every(1_000, fail, { onError });
    await jest.advanceTimersByTimeAsync(2_000);
    stop();
    expect(onError.mock.calls.map(([error]: Error[]) => error?.message)).toEqual(['no', 'no']);
  });
});
