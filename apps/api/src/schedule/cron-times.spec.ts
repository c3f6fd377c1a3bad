import { cronFault, nextTimes } from './cron-times';

const times = (cron: string, timezone: string, after: string, count = 4) =>
  nextTimes(cron, timezone, Date.parse(after), count).map((at) => new Date(at).toISOString().slice(0, 16));

describe('when a schedule is due', () => {
  it.each([
    [
      'Monday is the Monday of the zone, east of Greenwich',
      ['30 0 * * 1', 'Asia/Tokyo', '2026-11-28T00:00:00Z'],
      ['2026-11-29T15:30', '2026-12-06T15:30'],
    ],
    [
      'and west of it',
      ['30 0 * * 1', 'America/Sao_Paulo', '2026-11-28T00:00:00Z'],
      ['2026-11-30T03:30', '2026-12-07T03:30'],
    ],
    [
      'a time that the clock skips is due once, an hour later on the wall',
      ['30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z'],
      ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30'],
    ],
    [
      'a time that comes twice is due the first time only',
      ['30 2 * * *', 'Europe/Berlin', '2026-10-24T01:00:00Z'],
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'the same with another change-over',
      ['30 1 * * *', 'America/New_York', '2026-10-31T12:00:00Z'],
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'a midnight that is skipped does not skip the day',
      ['0 0 * * *', 'America/Asuncion', '2024-10-05T00:00:00Z'],
      ['2024-10-05T04:00', '2024-10-06T04:00', '2024-10-07T03:00'],
    ],
    [
      'what is due in every hour is due in the hour that comes twice, too',
      ['*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z'],
      ['2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'],
    ],
    [
      'and once in what follows a skipped hour',
      ['0 * * * *', 'Europe/Berlin', '2026-03-28T23:30:00Z'],
      ['2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00'],
    ],
    ['a leap day', ['0 12 29 2 *', 'UTC', '2026-01-01T00:00:00Z'], ['2028-02-29T12:00', '2032-02-29T12:00']],
    [
      'half an hour is a shift as well',
      ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-02T20:00:00Z'],
      ['2026-10-03T15:45', '2026-10-04T15:15'],
    ],
  ])('%s', (_name, [cron, timezone, after], due) => {
    expect(times(cron as string, timezone as string, after as string, due.length)).toEqual(due);
  });

  it('never twice for one local day, whatever the zone, over two years', () => {
    for (const zone of ['Europe/London', 'America/Santiago', 'Africa/Cairo', 'Asia/Beirut', 'Pacific/Chatham'])
      for (const cron of ['30 0 * * *', '30 2 * * *', '30 23 * * *']) {
        const due = nextTimes(cron, zone, Date.parse('2026-01-01T00:00:00Z'), 730);
        const days = due.map((at) => new Date(at).toLocaleDateString('en-CA', { timeZone: zone }));
        expect([zone, cron, due.length, new Set(days).size]).toEqual([zone, cron, 730, 730]);
      }
  });

  it('is after the moment that is asked about, not at it', () => {
    expect(times('0 9 * * *', 'UTC', '2026-11-30T09:00:00Z', 1)).toEqual(['2026-12-01T09:00']);
    expect(times('0 9 * * *', 'UTC', '2026-11-30T08:59:59.999Z', 1)).toEqual(['2026-11-30T09:00']);
  });

  it.each(['0 9 * * MON-FRI', '*/5 * * * *', '0 0 1,15 * *', '30 6 * JAN 0'])('takes %s', (cron) => {
    expect(cronFault(cron)).toBeNull();
  });

  it.each([
    '',
    '* * * * * *',
    '@daily',
    '* * * * *',
    '*/4 * * * *',
    '0,1 9 * * *',
    'H 0 * * *',
    '0 0 L * *',
    '0 0 31 2 *',
    '99 * * * *',
    '0 9 * *',
    '0 9 * * MON-FRI; rm',
    '0 9 * * FOO',
  ])('refuses %j with a sentence', (cron) => {
    expect(cronFault(cron)).toMatch(/^[A-Z].*\.$/);
  });
});
