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
});
