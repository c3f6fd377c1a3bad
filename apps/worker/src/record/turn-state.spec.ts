import type { AppendItem, Tx } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import { TurnRecorder } from './turn-recorder';
import { TurnState } from './turn-state';

const attempt = { turnId: 'turn_1', sessionId: 'sess_1', attempt: 1, fence: 7n };
const log = { error: () => undefined } as unknown as Logger;

/** `stored`: what becomes of each change, in order; all are stored without it. */
function setUp(stored: boolean[] = []) {
  const statements: unknown[][] = [];
  const tx = {
    query: async ({ values }: { values: unknown[] }) => {
      statements.push(values);
      return { rowCount: (stored.shift() ?? true) ? 1 : 0 };
    },
  } as unknown as Tx;
  const append = async ({ transition }: AppendItem) =>
    (await transition?.(tx)) === false
      ? { appended: false as const, reason: 'transition_refused' as const }
      : { appended: true as const, events: [] };
  const recorder = new TurnRecorder(
    { append },
    { ...attempt, originator: { system: true } },
    () => undefined,
    () => undefined,
  );
  const state = new TurnState(attempt, recorder, log);
  const toldOf = (value: unknown) => statements.map((values) => values.includes(value));
  return { state, toldOf };
}

describe('what serves a turn', () => {
  it('is reported once, when the program announces itself', async () => {
    const { state, toldOf } = setUp();
    state.servedBy({ program: 'claude' });
    expect(state.untoldLaunch).toBe('{"program":"claude"}');
    await state.change('spawned');
    await state.change('result');
    expect(toldOf('{"program":"claude"}')).toEqual([true, false]);
    expect({ untold: state.untoldLaunch, status: state.status }).toEqual({ untold: null, status: 'finishing' });
  });

  it('stays to be reported when that change is refused', async () => {
    const { state } = setUp([false]);
    state.servedBy({ program: 'claude' });
    expect(await state.change('spawned')).toBe(false);
    expect({ untold: state.untoldLaunch, status: state.status }).toEqual({
      untold: '{"program":"claude"}',
      status: 'starting',
    });
  });
});

describe('what a turn that runs here thinks of its row', () => {
  it('is as it was after a change that was not stored', async () => {
    const { state } = setUp([false, true, false]);
    expect([await state.change('spawned'), state.status]).toEqual([false, 'starting']);
    expect([await state.change('spawned'), state.status]).toEqual([true, 'running']);
    expect([await state.change('permission_asked'), state.status]).toEqual([false, 'running']);
  });

  it('tells when the turn waits for a person, once that is stored, and when it does not', async () => {
    const { state } = setUp([true, false, true, true]);
    const told: boolean[] = [];
    state.watchRest((isWaiting) => told.push(isWaiting));
    await state.change('spawned');
    await state.change('permission_asked');
    expect(told).toEqual([]);
    await state.change('permission_asked');
    await state.change('permission_settled');
    expect(told).toEqual([true, false]);
  });
});
