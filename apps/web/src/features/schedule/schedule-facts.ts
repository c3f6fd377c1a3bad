import type { ScheduleRun } from '@chirality/contracts';

type Looks = { label: string; tone: 'neutral' | 'accent' | 'good' | 'warn' | 'bad' };

export const RUN_STATES: Record<ScheduleRun['state'], Looks> = {
  starting: { label: 'Starting', tone: 'accent' },
  running: { label: 'Running', tone: 'accent' },
  done: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  refused: { label: 'Not started', tone: 'bad' },
  missed: { label: 'Missed', tone: 'warn' },
};

export const RUN_CAUSES: Record<ScheduleRun['cause'], string> = {
  time: 'on time',
  person: 'run by hand',
  trigger: 'by its trigger',
};

/** Times that most people mean, by name; the last one is what they write themselves. */
export const SCHEDULE_TIMES = [
  { label: 'Every day at 09:00', cron: '0 9 * * *' },
  { label: 'Weekdays at 09:00', cron: '0 9 * * MON-FRI' },
  { label: 'Mondays at 09:00', cron: '0 9 * * MON' },
  { label: 'Every hour', cron: '0 * * * *' },
  { label: 'Every night at 02:30', cron: '30 2 * * *' },
] as const;

/** What stands behind a time where the schedule's clock shows another one than the reader's. */
export function yourTime(timezone: string): string {
  return timezone === Intl.DateTimeFormat().resolvedOptions().timeZone ? '' : ' your time';
}
