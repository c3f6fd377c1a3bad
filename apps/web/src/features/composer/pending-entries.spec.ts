import type { TranscriptState, TurnView } from '@chirality/domain';
import type { OutboxEntry } from '../../lib/message/outbox';
import { pendingEntries } from './pending-entries';

const NOW = Date.parse('2026-01-01T12:00:00.000Z');
const entry = (fields: Partial<OutboxEntry>): OutboxEntry => ({
  key: 'key-1',
  sessionId: 'sess_1',
  message: 'Hello',
  options: {},
  createdAtMs: NOW,
  status: 'sending',
  attempts: 1,
  turnId: null,
  refusal: null,
  folds: [],
  attachments: [],
  outputSchema: null,
  whenBusy: 'refuse',
  isKept: true,
  ...fields,
});
const turn = (fields: Partial<TurnView> = {}) =>
  ({
    id: 'turn_1',
    kind: 'message',
    authorId: 'user_1',
    message: 'Hello',
    queuedAt: '2026-01-01T12:00:01.000Z',
    ...fields,
  }) as TurnView;

function shown(one: OutboxEntry, ...turns: TurnView[]): boolean {
  return shownBeside([], one, ...turns);
}

function shownBeside(made: string[], one: OutboxEntry, ...turns: TurnView[]): boolean {
  const state = {
    turns,
    turnIndex: Object.fromEntries(turns.map(({ id }, index) => [id, index])),
  } as unknown as TranscriptState;
  return pendingEntries([one], 'sess_1', state, 'user_1', new Set(made)).length === 1;
}

describe('what is shown of messages on their way', () => {
  it.each<[string, Partial<OutboxEntry>]>([
    ['is being sent', { status: 'sending' }],
    ['waits to be sent again, since its answer was lost', { status: 'waiting', attempts: 1 }],
  ])('is nothing of one that is in the transcript, also while it %s', (_name, fields) => {
    expect(shown(entry(fields))).toBe(true);
    expect(shown(entry(fields), turn())).toBe(false);
    for (const other of [
      turn({ message: 'Hello!' }),
      turn({ authorId: 'user_2' }),
      turn({ queuedAt: '2026-01-01T11:59:00.000Z' }),
    ])
      expect(shown(entry(fields), other)).toBe(true);
  });

  it('is the second of two with the same words, of which the first is in the transcript', () => {
    expect(shownBeside(['turn_1'], entry({ status: 'waiting', attempts: 1 }), turn())).toBe(true);
    expect(shownBeside(['turn_1'], entry({ status: 'waiting', attempts: 1 }), turn(), turn({ id: 'turn_2' }))).toBe(
      false,
    );
  });

  it('is one that never left, or was refused, whatever the transcript says', () => {
    expect(shown(entry({ status: 'waiting', attempts: 0 }), turn())).toBe(true);
    expect(shown(entry({ status: 'refused' }), turn())).toBe(true);
  });

  it('is nothing of one that is in the transcript before the turns that are loaded', () => {
    const state = {
      firstEventId: 40,
      turns: [turn({ id: 'turn_3' })],
      turnIndex: { turn_3: 0 },
    } as unknown as TranscriptState;
    const pending = (turnId: string) =>
      pendingEntries([entry({ status: 'accepted', turnId })], 'sess_1', state, 'user_1', new Set()).length;
    expect([pending('turn_2'), pending('turn_4')]).toEqual([0, 1]);
  });

  it('is one that was accepted until its turn is there, and only in its session', () => {
    const accepted = entry({ status: 'accepted', turnId: 'turn_2' });
    expect(shown(accepted, turn())).toBe(true);
    expect(shown(accepted, turn({ id: 'turn_2' }))).toBe(false);
    expect(shown(entry({ sessionId: 'sess_2' }))).toBe(false);
  });
});
