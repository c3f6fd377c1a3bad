import { cronWords } from './cron-words';

describe('a schedule in words', () => {
  it.each([
    ['0 9 * * *', 'Every day at 09:00, Europe/Berlin'],
    ['30 0 * * 1', 'Every Monday at 00:30, Europe/Berlin'],
    ['0 9 * * MON-FRI', 'On weekdays at 09:00, Europe/Berlin'],
    ['0 9,17 * * 2,4', 'Every Tuesday and Thursday at 09:00 and 17:00, Europe/Berlin'],
    ['0 9 * * SAT-SUN', 'From Saturday to Sunday at 09:00, Europe/Berlin'],
    ['*/15 * * * *', 'Every 15 minutes, Europe/Berlin'],
    ['0 * * * *', 'Every hour, Europe/Berlin'],
    ['5 * * * *', 'Every hour at :05, Europe/Berlin'],
    ['0 */6 * * *', 'Every 6 hours, Europe/Berlin'],
    ['0 6 1,15 * *', 'On day 1 and 15 of the month at 06:00, Europe/Berlin'],
    ['0 6 1 JAN *', 'By “0 6 1 JAN *”, Europe/Berlin'],
    ['1-5 6 * * *', 'By “1-5 6 * * *”, Europe/Berlin'],
    ['0 6 1 * 1', 'By “0 6 1 * 1”, Europe/Berlin'],
  ])('%s is %s', (cron, words) => {
    expect(cronWords(cron, 'Europe/Berlin')).toBe(words);
  });

  it('without an expression says what starts it', () => {
    expect(cronWords(null, 'UTC')).toBe('Only when its trigger is called, or run by hand');
  });
});
