import { SYSTEM, type NewEvent } from '@chirality/contracts';
import { makeChunk, type Chunk } from './chunk';
import { pendingEvent } from './pending-event';
import { SessionQueue } from './session-queue';

const delta = (text: string, block = 0): NewEvent => ({
  kind: 'chat:delta',
  turn: null,
  originator: SYSTEM,
  payload: { messageId: 'm', block, text },
});
const chunk = (
  texts: string[],
  fields: Partial<Pick<Chunk, 'fence' | 'transition' | 'raisesFence' | 'ready'>> & { block?: number } = {},
) =>
  makeChunk({
    sessionId: 's',
    fence: null,
    raisesFence: false,
    ready: true,
    transition: undefined,
    ...fields,
    events: texts.map((text) => pendingEvent(delta(text, fields.block ?? 0), new Date(0), 0)),
  });
const texts = (chunks: readonly Chunk[]) =>
  chunks.map(({ events }) => events.map(({ event }) => (event.payload as { text: string }).text));
const LARGE = 1_000_000;

describe('the queue of one session', () => {
  test('events no longer join what was taken, and no second take begins before the first is finished', () => {
    const queue = new SessionQueue('s');
    queue.push(chunk(['a']));
    const taken = queue.take(LARGE);
    expect(queue.push(chunk(['b'])).places).toMatchObject([{ index: 0 }]);
    queue.push(chunk(['c']));
    expect(queue.take(LARGE)).toEqual([]);
    expect(texts(taken)).toEqual([['a']]);
    queue.finish(new Set(taken));
    expect(texts(queue.take(LARGE))).toEqual([['bc']]);
  });

  test('a take ends before another fence, a transition, an end, or what is not ready', () => {
    const others: Parameters<typeof chunk>[1][] = [
      { fence: 2n },
      { transition: async () => true },
      { raisesFence: true },
      { ready: false },
    ];
    for (const other of others) {
      const queue = new SessionQueue('s');
      queue.push(chunk(['a'], { block: 1 }));
      queue.push(chunk(['b'], { block: 2 }));
      queue.push(chunk(['c'], { ...other, block: 3 }));
      queue.push(chunk(['d'], { block: 4 }));
      const first = queue.take(LARGE);
      expect(texts(first)).toEqual([['a'], ['b']]);
      queue.finish(new Set(first));
      expect(texts(queue.take(LARGE))).toEqual(other?.ready === false ? [] : [['c']]);
    }
  });

  test('a take is bounded in size but never empty', () => {
    const queue = new SessionQueue('s');
    for (const [block, text] of ['aaaa', 'b', 'c'].entries()) queue.push(chunk([text], { block }));
    const first = queue.take(1);
    expect(texts(first)).toEqual([['aaaa']]);
    queue.finish(new Set(first));
    expect(texts(queue.take(LARGE))).toEqual([['b'], ['c']]);
  });

  test('what is not done stays in front, in order', () => {
    const queue = new SessionQueue('s');
    for (const [block, text] of ['a', 'b', 'c'].entries()) queue.push(chunk([text], { block }));
    const taken = queue.take(LARGE);
    queue.push(chunk(['d'], { block: 9 }));
    queue.finish(new Set(taken.slice(0, 1)));
    expect(texts(queue.chunks)).toEqual([['b'], ['c'], ['d']]);
  });

  test('its size is the sum of what waits, however it was joined', () => {
    const queue = new SessionQueue('s');
    let bytes = 0;
    for (const text of ['ä', '"', 'x', '\n']) bytes += queue.push(chunk([text, text])).grownBytes;
    expect(texts(queue.chunks)).toEqual([['ää""xx\n\n']]);
    expect(queue.chunks.map((each) => each.bytes)).toEqual([bytes]);
    expect(bytes).toBe(queue.chunks[0]?.events[0]?.bytes);
  });

  describe('in a burst', () => {
    /** A take at 1000 ms that is over, and what came meanwhile. */
    function afterTake(...meanwhile: Chunk[]): SessionQueue {
      const queue = new SessionQueue('s');
      queue.push(chunk(['a']));
      const taken = queue.take(LARGE, 1_000);
      for (const each of meanwhile) queue.push(each);
      queue.finish(new Set(taken));
      return queue;
    }
    const many = Array.from({ length: 12 }, () => 'x');

    test('deltas wait for more of themselves, up to 25 ms after the last take', () => {
      const queue = afterTake(chunk(many));
      expect([1_000, 1_010, 1_025, 2_000].map((now) => queue.restMs(now))).toEqual([25, 15, 0, 0]);
      expect(afterTake(...many.map((text) => chunk([text]))).restMs(1_010)).toBe(15);
      queue.take(LARGE, 1_025);
      expect(queue.restMs(1_026)).toBe(0);
    });

    test('nothing else waits, nor deltas for which something else would', () => {
      expect(new SessionQueue('s').restMs(0)).toBe(0);
      expect(afterTake().restMs(1_001)).toBe(0);
      expect(afterTake(chunk(['x', 'x', 'x'])).restMs(1_001)).toBe(0);
      expect(afterTake(chunk(many), chunk(['b'], { block: 1 })).restMs(1_001)).toBe(0);
      expect(afterTake(chunk(many), chunk([], { transition: async () => true })).restMs(1_001)).toBe(0);
      const first = new SessionQueue('s');
      first.push(chunk(many));
      expect(first.restMs(0)).toBe(0);
    });
  });
});
