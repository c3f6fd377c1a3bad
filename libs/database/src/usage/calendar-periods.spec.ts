import { calendarPeriods } from './calendar-periods';

describe('periods of a calendar', () => {
  it.each([
    ['UTC', '2026-02-27T00:00:00Z', '2026-03-02T00:00:00Z', ['2026-02-27', '2026-02-28', '2026-03-01']],
    ['UTC', '2026-02-27T12:00:00Z', '2026-02-27T12:00:00.001Z', ['2026-02-27']],
    ['Europe/Berlin', '2026-03-28T22:30:00Z', '2026-03-29T22:30:00Z', ['2026-03-28', '2026-03-29', '2026-03-30']],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', ['2026-10-25']],
    ['Pacific/Kiritimati', '2026-01-01T09:59:00Z', '2026-01-01T10:01:00Z', ['2026-01-01', '2026-01-02']],
  ])('are the days of %s that %s to %s touches', (timezone, from, to, days) => {
    expect(calendarPeriods(new Date(from), new Date(to), timezone, 'day')).toEqual(days);
  });

  it('are months without a gap, whatever day they begin on', () => {
    expect(calendarPeriods(new Date('2027-12-31T00:00:00Z'), new Date('2028-03-01T00:00:00Z'), 'UTC', 'month')).toEqual(
      ['2027-12', '2028-01', '2028-02'],
    );
    expect(
      calendarPeriods(new Date('2028-02-29T23:00:00Z'), new Date('2028-03-01T00:00:00Z'), 'Asia/Kolkata', 'month'),
    ).toEqual(['2028-03']);
  });
});
