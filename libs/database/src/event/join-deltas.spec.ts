import { SYSTEM, type NewEvent } from '@chirality/contracts';
import { JOIN_LIMIT_BYTES, JOIN_WINDOW_MS, joinDeltas } from './join-deltas';
import { pendingEvent } from './pending-event';

const AT = new Date('2026-01-01T00:00:00.000Z');
const delta = (text: string, fields: object = {}, kind: 'chat:delta' | 'thinking:delta' = 'chat:delta'): NewEvent => ({
  kind,
  turn: 'turn_1',
  originator: SYSTEM,
  payload: { messageId: 'm', block: 0, text, ...fields },
});
const join = (first: NewEvent, second: NewEvent, apartMs = 0) =>
  joinDeltas(pendingEvent(first, AT, 0), pendingEvent(second, new Date(AT.getTime() + apartMs), apartMs));

describe('joining deltas', () => {
  test('neighbours of one block become one event, at the time of the first', () => {
    const joined = join(delta('a\ud83d'), delta('\ude00b'), JOIN_WINDOW_MS);
    expect(joined).toEqual(pendingEvent(delta('a😀b'), AT, 0));
  });

  test.each<[string, NewEvent, NewEvent, number]>([
    ['of different blocks', delta('a'), delta('b', { block: 1 }), 0],
    ['of different messages', delta('a'), delta('b', { messageId: 'n' }), 0],
    ['of different kinds', delta('a'), delta('b', {}, 'thinking:delta'), 0],
    ['of different sub-agents', delta('a'), delta('b', { parentToolUseId: 't' }), 0],
    ['of different turns', delta('a'), { ...delta('b'), turn: 'turn_2' }, 0],
    [
      'of different originators',
      delta('a'),
      { ...delta('b'), originator: { userId: 'u', clientId: 'c', identityClass: 'human' } },
      0,
    ],
    ['that are too far apart', delta('a'), delta('b'), JOIN_WINDOW_MS + 1],
    ['that are too large together', delta('a'.repeat(JOIN_LIMIT_BYTES)), delta('b'), 0],
    ['with a field that joining does not know', delta('a', { confidence: 1 }), delta('b', { confidence: 2 }), 0],
    [
      'one of which is no delta',
      delta('a'),
      { kind: 'custom', turn: 'turn_1', originator: SYSTEM, payload: { namespace: 'n', name: 'n', data: null } },
      0,
    ],
  ])('two %s stay two', (_, first, second, apartMs) => {
    expect(join(first, second, apartMs)).toBeNull();
  });
});
