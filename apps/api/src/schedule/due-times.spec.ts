import { nextTimes } from './cron-times';
import { dueTimes } from './due-times';

const HOURLY = { cron: '0 * * * *', timezone: 'UTC' };
const at = (time: string) => Date.parse(`2026-11-30T${time}Z`);
const shown = ({ missed, run, next }: ReturnType<typeof dueTimes>) => ({
  missed: missed.map((one) => one.toISOString().slice(11, 16)),
  run: run?.toISOString().slice(11, 16) ?? null,
  next: next?.toISOString().slice(11, 16) ?? null,
});

describe('what becomes of a schedule that is due', () => {
  it('runs what is due now', () => {
    expect(shown(dueTimes(HOURLY, at('09:00:00'), at('09:00:03')))).toEqual({
      missed: [],
      run: '09:00',
      next: '10:00',
    });
  });

  it('runs what a restart delayed by a few minutes', () => {
    expect(shown(dueTimes(HOURLY, at('09:00:00'), at('09:04:59')))).toEqual({
      missed: [],
      run: '09:00',
      next: '10:00',
    });
  });

  it('lists what was missed, and runs none of it', () => {
    expect(shown(dueTimes(HOURLY, at('06:00:00'), at('09:20:00')))).toEqual({
      missed: ['06:00', '07:00', '08:00', '09:00'],
      run: null,
      next: '10:00',
    });
  });

  it('runs the last one only, if that is due now', () => {
    expect(shown(dueTimes(HOURLY, at('07:00:00'), at('09:01:00')))).toEqual({
      missed: ['07:00', '08:00'],
      run: '09:00',
      next: '10:00',
    });
  });

  it('lists no more than twenty of a long absence', () => {
    const due = dueTimes({ cron: '*/5 * * * *', timezone: 'UTC' }, Date.parse('2024-01-01T00:00:00Z'), at('09:09:00'));
    expect(due.missed).toHaveLength(20);
    expect(due.missed.at(-1)?.toISOString()).toBe('2026-11-30T09:00:00.000Z');
    expect(due.run?.toISOString()).toBe('2026-11-30T09:05:00.000Z');
  });

  it.each(['*/5 * * * *', '0 * * * *', '0 9 * * MON', '0 0 29 2 *'])(
    'takes no more steps for %s after years than after a day',
    (cron) => {
      const looks = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
      const clocks = jest.spyOn(Intl, 'DateTimeFormat');
      try {
        const now = at('09:09:00');
        const due = dueTimes({ cron, timezone: 'Europe/Berlin' }, Date.parse('1990-01-01T00:00:00Z'), now);
        expect(due.next?.getTime()).toBeGreaterThan(now);
        expect(due.missed.length).toBeGreaterThan(9);
        expect(looks.mock.calls.length).toBeLessThan(500);
        expect(clocks.mock.calls.filter(([, options]) => options?.timeZone === 'Europe/Berlin')).toHaveLength(1);
      } finally {
        looks.mockRestore();
        clocks.mockRestore();
      }
    },
  );

  it.each(['2026-10-25T05:00:00Z', '2026-03-29T05:00:00Z'])(
    'lists the same times backwards as come forwards when clocks change before %s',
    (end) => {
      const now = Date.parse(end);
      for (const cron of ['*/30 * * * *', '30 2 * * *', '0 1-3 * * *', '15 */2 * * *']) {
        const zone = { cron, timezone: 'Europe/Berlin' };
        const all = nextTimes(cron, zone.timezone, now - 8 * 3_600_000, 200).filter((one) => one <= now - 6 * 60_000);
        const [first] = all;
        if (first === undefined) throw new Error('none was due');
        const due = dueTimes(zone, first, now);
        expect(due.missed.map((one) => one.getTime())).toEqual(all.slice(-20));
      }
    },
  );
});
