import type { TurnView } from '@chirality/domain';
import { endsWithMove, nextStep } from './seeking';

const rows = [{ key: 'turn_5/message' }, { key: 'e31' }];
const row = (key: string) => ({ kind: 'row', key }) as const;
const place = (key: string) => ({ kind: 'place', key, offsetPx: 12 }) as const;
const START = { kind: 'start' } as const;

describe('the way to a place in a conversation', () => {
  it.each([
    ['shows a row that is loaded', row('e31'), 30, { step: 'show', at: 1 }],
    ['loads what is before for an item of an earlier event', row('e12'), 30, { step: 'load' }],
    ['for a place where one was reading before', place('e12'), 30, { step: 'load' }],
    ['and for the message of an earlier turn', row('turn_2/message'), 30, { step: 'load' }],
    ['gives up for an item that is not shown any longer', row('e40'), 30, { step: 'give-up' }],
    ['for a row of a turn that is yet to come', row('turn_9/message'), 30, { step: 'give-up' }],
    ['for what is no row of a turn', row('tail'), 30, { step: 'give-up' }],
    ['and for anything else once everything is loaded', row('turn_2/message'), 1, { step: 'give-up' }],
    ['shows the beginning once everything is loaded', START, 1, { step: 'show', at: 0 }],
    ['and loads the rest before that', START, 2, { step: 'load' }],
  ])('%s', (_what, goal, firstEventId, step) => {
    const turns = [{ id: 'turn_5', kind: 'message' } as TurnView];
    expect(nextStep(goal, rows, { firstEventId, turns, turnIndex: { turn_5: 0 } })).toEqual(step);
  });

  it.each([
    ['shows the last row that began before an event', 33, 30, { step: 'show', at: 1 }],
    ['shows the message for an event before every row of the turn', 30, 30, { step: 'show', at: 0 }],
    ['stays within the turn', 99, 30, { step: 'show', at: 2 }],
  ])('by an address %s', (_what, eventId, firstEventId, step) => {
    const turns = [{ id: 'turn_5', kind: 'message' } as TurnView];
    const moment = { turnId: 'turn_5', eventId };
    const own = [...rows, { key: 'e40' }, { key: 'turn_5/tail' }, { key: 'turn_6/message' }, { key: 'e50' }];
    expect(nextStep({ kind: 'moment', moment }, own, { firstEventId, turns, turnIndex: { turn_5: 0 } })).toEqual(step);
  });

  it('by an address loads earlier turns, and gives up for one that is not there', () => {
    const turns = [{ id: 'turn_5', kind: 'message' } as TurnView];
    const step = (turnId: string, eventId: number, firstEventId = 30) =>
      nextStep({ kind: 'moment', moment: { turnId, eventId } }, rows, { firstEventId, turns, turnIndex: { turn_5: 0 } })
        .step;
    expect([step('turn_2', 12), step('turn_9', 60), step('turn_2', 12, 1)]).toEqual(['load', 'give-up', 'give-up']);
  });

  it('ends with the reader’s own movement only where it was not requested', () => {
    expect([place('e12'), row('e12'), START].map(endsWithMove)).toEqual([true, false, false]);
  });
});
