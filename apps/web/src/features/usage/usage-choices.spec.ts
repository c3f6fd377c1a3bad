import { rangeFrom, startOfDay } from './usage-choices';

describe('the beginning of a range', () => {
  it.each([
    ['UTC', '2026-03-15T00:00:00.000Z'],
    ['Asia/Kolkata', '2026-03-14T18:30:00.000Z'],
    ['America/St_Johns', '2026-03-14T02:30:00.000Z'],
  ])('is midnight of %s', (timezone, from) => {
    expect(rangeFrom('today', new Date('2026-03-15T01:00:00.000Z'), timezone)).toEqual({ from });
  });

  it('is midnight also on a day on which the clock jumps', () => {
    expect(startOfDay(2026, 3, 29, 'Europe/Berlin').toISOString()).toBe('2026-03-28T23:00:00.000Z');
    expect(startOfDay(2026, 3, 30, 'Europe/Berlin').toISOString()).toBe('2026-03-29T22:00:00.000Z');
  });

  it('counts today as one of the days, and months by the calendar', () => {
    const now = new Date('2026-03-03T12:00:00.000Z');
    expect(rangeFrom('7d', now, 'UTC')).toEqual({ from: '2026-02-25T00:00:00.000Z' });
    expect(rangeFrom('month', now, 'UTC')).toEqual({ from: '2026-03-01T00:00:00.000Z' });
    expect(rangeFrom('all', now, 'UTC')).toEqual({});
  });
});
