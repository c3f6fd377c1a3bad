import type { AppendItem, Tx, TurnChanges } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import { TurnJournal } from '../record/turn-journal';
import { TurnState } from './turn-state';

const attempt = { turnId: 'turn_1', sessionId: 'sess_1', attempt: 1, fence: 7n };
const log = { error: () => undefined } as unknown as Logger;

/** `stored`: what becomes of each change, in order; all are stored without it. */
function setUp(stored: boolean[] = []) {
  const sets: (TurnChanges | undefined)[] = [];
  const append = async ({ transition }: AppendItem) =>
    (await transition?.({} as Tx)) === false
      ? { appended: false as const, reason: 'transition_refused' as const }
      : { appended: true as const, events: [] };
  const journal = new TurnJournal(
    append,
    attempt,
    () => undefined,
    () => undefined,
  );
  const state = new TurnState(
    attempt,
    journal,
    async (_, { set }) => {
      sets.push(set);
      return stored.shift() ?? true;
    },
    log,
  );
  return { state, sets };
}

describe('what serves a turn', () => {
  it('is reported once, when the program announces itself', async () => {
    const { state, sets } = setUp();
    state.servedBy({ program: 'claude' });
    expect(state.untoldLaunch).toBe('{"program":"claude"}');
    await state.change('spawned');
    await state.change('result');
    expect(sets).toEqual([{ launch: '{"program":"claude"}' }, {}]);
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
