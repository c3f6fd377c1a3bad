import fc from 'fast-check';
import { isWhole, readingOf, turned, type Reading } from './card-pages';

describe('reading a request page by page', () => {
  it('is whole only when every line was shown', () => {
    const step = fc.record({ by: fc.constantFrom(1 as const, -1 as const), room: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.array(step, { maxLength: 40 }), (count, steps) => {
        const seen = new Set<number>();
        let reading: Reading = readingOf(null, 'a', 80);
        for (const { by, room } of steps) {
          for (let at = reading.top; at < Math.min(count, reading.top + room); at++) seen.add(at);
          if (isWhole(reading, { count, room })) expect(seen.size).toBe(count);
          reading = turned(reading, by, { count, room });
        }
      }),
    );
  });

  it('reaches the end', () => {
    let reading = readingOf(null, 'a', 80);
    const page = { count: 20, room: 9 };
    expect(isWhole(reading, page)).toBe(false);
    reading = turned(turned(reading, 1, page), 1, page);
    expect([reading.top, isWhole(reading, page)]).toEqual([18, true]);
    // It stays known when its reader looks back.
    expect(isWhole(turned(turned(reading, -1, page), -1, page), page)).toBe(true);
  });

  it('begins again for another request, and at another width', () => {
    const read = { id: 'a', columns: 80, top: 18, wasWhole: true };
    expect(readingOf(read, 'b', 80)).toEqual({ id: 'b', columns: 80, top: 0, wasWhole: false });
    expect(readingOf({ ...read, wasWhole: false }, 'a', 40)).toEqual({
      id: 'a',
      columns: 40,
      top: 0,
      wasWhole: false,
    });
  });
});
