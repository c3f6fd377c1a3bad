const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const SHORT_DAYS = DAYS.map((day) => day.slice(0, 3).toUpperCase());

/** When an expression is due, in words; those that have none are quoted. */
export function cronWords(cron: string | null, timezone: string): string {
  if (cron === null) return 'Only when its trigger is called, or run by hand';
  const [minute = '', hour = '', date = '', month = '', day = ''] = cron.trim().toUpperCase().split(/\s+/);
  const when = month === '*' ? timeWords(minute, hour) : null;
  const which = when === null ? null : dayWords(date, day);
  if (when === null || which === null) return `By “${cron}”, ${timezone}`;
  return `${which}${which === '' ? capitalised(when) : ` ${when}`}, ${timezone}`;
}

function timeWords(minute: string, hour: string): string | null {
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (step !== undefined && hour === '*') return `every ${step} minutes`;
  if (!/^\d+$/.test(minute)) return null;
  const past = minute.padStart(2, '0');
  if (hour === '*') return minute === '0' ? 'every hour' : `every hour at :${past}`;
  const hourStep = /^\*\/(\d+)$/.exec(hour)?.[1];
  if (hourStep !== undefined) return minute === '0' ? `every ${hourStep} hours` : null;
  if (!/^\d+(,\d+)*$/.test(hour)) return null;
  return `at ${listOf(hour.split(',').map((one) => `${one.padStart(2, '0')}:${past}`))}`;
}

/** Empty where every day is meant and the time says so already. */
function dayWords(date: string, day: string): string | null {
  if (date === '*' && day === '*') return '';
  if (date === '*') {
    const range = /^(\w+)-(\w+)$/.exec(day);
    if (range) {
      const [from, to] = [dayName(range[1] ?? ''), dayName(range[2] ?? '')];
      if (from === 'Monday' && to === 'Friday') return 'On weekdays';
      return from === null || to === null ? null : `From ${from} to ${to}`;
    }
    const days = day.split(',').map(dayName);
    return days.every((one) => one !== null) ? `Every ${listOf(days)}` : null;
  }
  if (day !== '*' || !/^\d+(,\d+)*$/.test(date)) return null;
  return `On day ${listOf(date.split(','))} of the month`;
}

function dayName(day: string): string | null {
  return DAYS[/^[0-7]$/.test(day) ? Number(day) % 7 : SHORT_DAYS.indexOf(day)] ?? null;
}

function capitalised(words: string): string {
  return words.startsWith('at ') ? `Every day ${words}` : words.charAt(0).toUpperCase() + words.slice(1);
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
